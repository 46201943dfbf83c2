"""Finance: five tools."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Amount, Arguments, Day, Id, Name, Query
from mempa_gym.tools.catalogue._common import acting, reading, says

__all__ = ["TOOLS"]


class BillRead(Arguments):
    bill_id: Annotated[Id | None, says("Id of the bill. Leave out to list bills.")] = None
    query: Query = None


class MethodRead(Arguments):
    method_id: Annotated[Id | None, says("Id of the payment method. Leave out to list them.")] = None
    query: Query = None


class PaymentRead(Arguments):
    payment_id: Annotated[Id | None, says("Id of the payment. Leave out to list payments.")] = None
    query: Query = None


class HolderUpdate(Arguments):
    account_id: Annotated[Id, says("Id of the account, as on its bills.")]
    holder: Annotated[Name, says("Full name of the new account holder.")]


class PaymentCreate(Arguments):
    bill_id: Annotated[Id, says("Id of the bill to pay.")]
    method_id: Annotated[Id, says("Id of the payment method.")]
    amount: Annotated[Amount | None, says("How much; all that is still owed when left out.")] = None
    date: Annotated[Day | None, says("Day of the payment, YYYY-MM-DD; today when left out.")] = None


_read, _act = reading("Finance"), acting("Finance")

TOOLS = (
    _read("utility_bill_read", "Reads one of the user's bills, or lists them.", BillRead),
    _read("payment_method_read", "Reads one of the user's payment methods, or lists them.", MethodRead),
    _read("bill_payment_read", "Reads one payment of a bill, or lists payments.", PaymentRead),
    _act("utility_account_holder_update", "Changes the holder of an account with a provider.", HolderUpdate),
    _act("bill_payment_create", "Pays a bill.", PaymentCreate),
)
