"""Shopping and shipping: orders take stock, and can be changed only until they leave."""

from __future__ import annotations

from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.desk import Desk, Handler
from mempa_gym.world.domains.common import is_status, money, updated
from mempa_gym.world.entry import Entry
from mempa_gym.world.search import Filter, listing, searching

__all__ = ["HANDLERS"]

_HOME = "home"


def _take_stock(desk: Desk, product: Entry, quantity: int, given: int) -> None:
    """Takes pieces off the shelf, or puts them back when the number is negative."""
    left = product.record["stock"] - quantity
    if left < 0:
        raise ArgumentError("quantity", given, f"only {product.record['stock']} more of {product.id} in stock")
    desk.change("products", product, stock=left)


def _default_address(desk: Desk) -> str:
    addresses = list(desk.all("addresses"))
    home = next((entry for entry in addresses if entry.record["label"].lower() == _HOME), None)
    return home.id if home else addresses[0].id if addresses else ""


def _order(desk: Desk, arguments: dict[str, Any]) -> Any:
    product = desk.need("products", arguments["product_id"], "product_id")
    for argument, collection in (("address_id", "addresses"), ("method_id", "payment_methods")):
        if argument in arguments:
            desk.need(collection, arguments[argument], argument)
    quantity = arguments["quantity"]
    _take_stock(desk, product, quantity, quantity)
    total = money(product.record["price"] * quantity)
    entry = desk.add(
        "orders",
        {
            "product": product.id,
            "quantity": quantity,
            "store": product.record["store"],
            "total": total,
            "status": "placed",
            "placed": desk.now,
            "arrives": "",
            "address": arguments.get("address_id") or _default_address(desk),
            "method": arguments.get("method_id", ""),
        },
    )
    return {"id": entry.id, "total": total}


def _update_order(desk: Desk, arguments: dict[str, Any]) -> Any:
    order = desk.need("orders", arguments["order_id"], "order_id")
    if is_status(order.record, "shipped", "in transit", "out for delivery", "delivered", "cancelled", "returned"):
        raise ArgumentError("order_id", order.id, f"the order is {order.record['status']} and can no longer change")
    changes = {field: value for field, value in arguments.items() if field != "order_id"}
    record = order.record.copy()
    if "address_id" in changes:
        record["address"] = desk.need("addresses", changes["address_id"], "address_id").id
    pieces: int = changes["quantity"] if "quantity" in changes else record["quantity"]
    if "status" in changes:
        record["status"] = changes["status"]
        back = record["quantity"]
        if "quantity" in changes:
            raise ArgumentError("quantity", pieces, "an order is either cancelled or changed, not both")
        more = -back
    else:
        more = pieces - record["quantity"]
    product = desk.visible("products", record["product"])
    if more and product is not None:
        _take_stock(desk, product, more, pieces)
    elif more > 0:
        raise ArgumentError("quantity", pieces, "the product is no longer sold")
    if "quantity" in changes:
        each = product.record["price"] if product is not None else record["total"] / max(record["quantity"], 1)
        record |= {"quantity": pieces, "total": money(each * pieces)}
    return updated(desk, "orders", order, record, list(changes))


def _update_return(desk: Desk, arguments: dict[str, Any]) -> Any:
    case = desk.need("return_cases", arguments["case_id"], "case_id")
    changes = {field: value for field, value in arguments.items() if field != "case_id"}
    deadline = case.record["deadline"]
    if deadline and deadline < desk.today and changes.get("status", "withdrawn") != "withdrawn":
        raise ArgumentError("case_id", case.id, f"the deadline for this return was {deadline}")
    return updated(desk, "return_cases", case, case.record | changes, list(changes))


def _proof(desk: Desk, arguments: dict[str, Any]) -> Any:
    record = desk.need("packages", arguments["package_id"], "package_id").record
    return {field: record[field] for field in ("id", "order", "status", "proof")}


HANDLERS: dict[str, Handler] = {
    "shopping_product_search": searching(
        "products",
        store=Filter("store", "name"),
        category=Filter("category", "name"),
        max_price=Filter("price", "most"),
    ),
    "shopping_order_read": listing("orders", "order_id"),
    "shopping_return_case_read": listing("return_cases", "case_id"),
    "shopping_order_create": _order,
    "shopping_order_update": _update_order,
    "shopping_return_case_update": _update_return,
    "delivery_address_read": listing("addresses", "address_id"),
    "package_delivery_proof_read": _proof,
    "package_tracking_read": listing("packages", "package_id", hide=("proof",)),
}
