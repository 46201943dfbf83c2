"""Finance: a payment settles a bill, in full, in part, or on a later day."""

from __future__ import annotations

from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.desk import Desk, Handler
from mempa_gym.world.domains.common import is_status, money
from mempa_gym.world.entry import Entry
from mempa_gym.world.search import listing

__all__ = ["HANDLERS"]


def _owed(desk: Desk, bill: Entry) -> int | float:
    paid = sum(entry.record["amount"] for entry in desk.all("bill_payments") if entry.record["bill"] == bill.id)
    return money(bill.record["amount"] - paid)


def _pay(desk: Desk, arguments: dict[str, Any]) -> Any:
    bill = desk.need("bills", arguments["bill_id"], "bill_id")
    method = desk.need("payment_methods", arguments["method_id"], "method_id")
    owed = _owed(desk, bill)
    if is_status(bill.record, "paid", "scheduled", "cancelled") or owed <= 0:
        raise ArgumentError("bill_id", bill.id, f"nothing is owed on this bill, its status is {bill.record['status']}")
    amount = arguments.get("amount", owed)
    if amount > owed:
        raise ArgumentError("amount", amount, f"only {owed} is still owed on this bill")
    date = arguments.get("date", desk.today)
    if date < desk.today:
        raise ArgumentError("date", date, f"a payment cannot be made before today, {desk.today}")
    status = "partly paid" if amount < owed else "scheduled" if date > desk.today else "paid"
    desk.change("bills", bill, status=status)
    payment = desk.add("bill_payments", {"bill": bill.id, "amount": amount, "date": date, "method": method.id})
    return {"id": payment.id, "amount": amount, "bill_status": status}


def _change_holder(desk: Desk, arguments: dict[str, Any]) -> Any:
    account = desk.need("accounts", arguments["account_id"], "account_id")
    desk.change("accounts", account, holder=arguments["holder"])
    return {"id": account.id, "updated": ["holder"]}


HANDLERS: dict[str, Handler] = {
    "utility_bill_read": listing("bills", "bill_id"),
    "payment_method_read": listing("payment_methods", "method_id"),
    "bill_payment_read": listing("bill_payments", "payment_id"),
    "utility_account_holder_update": _change_holder,
    "bill_payment_create": _pay,
}
