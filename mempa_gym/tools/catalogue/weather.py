"""Weather: one tool."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Arguments, Day, Name
from mempa_gym.tools.catalogue._common import reading, says

__all__ = ["TOOLS"]


class ForecastRead(Arguments):
    city: Annotated[Name, says("City.")]
    date: Annotated[Day | None, says("Day of the forecast, YYYY-MM-DD. Leave out for the next days.")] = None


TOOLS = (reading("Weather")("weather_forecast_read", "Reads the weather forecast of a city.", ForecastRead),)
