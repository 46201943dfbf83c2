"""Shopping: six tools."""

from __future__ import annotations

from typing import Annotated, Literal

from mempa_gym.tools.arguments import Amount, Arguments, Count, Id, Name, Query, Text
from mempa_gym.tools.catalogue._common import acting, reading, says

__all__ = ["TOOLS"]


class ProductSearch(Arguments):
    query: Query = None
    store: Annotated[Name | None, says("Only this store.")] = None
    category: Annotated[Name | None, says("Only this category.")] = None
    max_price: Annotated[Amount | None, says("Only up to this price.")] = None


class OrderRead(Arguments):
    order_id: Annotated[Id | None, says("Id of the order. Leave out to list orders.")] = None
    query: Query = None


class ReturnRead(Arguments):
    case_id: Annotated[Id | None, says("Id of the return case. Leave out to list them.")] = None
    query: Query = None


class OrderCreate(Arguments):
    product_id: Annotated[Id, says("Id of the product.")]
    quantity: Annotated[Count, says("How many.")] = 1
    address_id: Annotated[Id | None, says("Id of the delivery address; the home address when left out.")] = None
    method_id: Annotated[Id | None, says("Id of the payment method.")] = None


class OrderUpdate(Arguments):
    order_id: Annotated[Id, says("Id of an order that is not on its way yet.")]
    quantity: Annotated[Count | None, says("New number of pieces.")] = None
    address_id: Annotated[Id | None, says("Id of the new delivery address.")] = None
    status: Annotated[Literal["cancelled"] | None, says("'cancelled' cancels the order.")] = None


class ReturnUpdate(Arguments):
    case_id: Annotated[Id, says("Id of the return case.")]
    status: Annotated[
        Literal["requested", "confirmed", "shipped", "withdrawn"] | None, says("New status of the return.")
    ] = None
    reason: Annotated[Text | None, says("Why it goes back.")] = None
    notes: Annotated[Text | None, says("Notes for the store.")] = None


_read, _act = reading("Shopping"), acting("Shopping")

TOOLS = (
    _read("shopping_product_search", "Searches products in the stores.", ProductSearch),
    _read("shopping_order_read", "Reads one of the user's orders, or lists them.", OrderRead),
    _read("shopping_return_case_read", "Reads one of the user's returns, or lists them.", ReturnRead),
    _act("shopping_order_create", "Orders a product.", OrderCreate),
    _act("shopping_order_update", "Changes or cancels an order.", OrderUpdate),
    _act("shopping_return_case_update", "Moves a return on, withdraws it, or tells the store more.", ReturnUpdate),
)
