"""Media transcoding: three tools."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Amount, Arguments, DocumentPath, Id, Name, Query
from mempa_gym.tools.catalogue._common import acting, reading, says

__all__ = ["TOOLS"]


class ServiceSearch(Arguments):
    query: Query = None
    format: Annotated[Name | None, says("Only services that deliver this format.")] = None
    max_price: Annotated[Amount | None, says("Only up to this price.")] = None


class JobRead(Arguments):
    job_id: Annotated[Id | None, says("Id of the job. Leave out to list jobs.")] = None
    query: Query = None


class JobCreate(Arguments):
    service_id: Annotated[Id, says("Id of the transcoding service.")]
    source: Annotated[DocumentPath, says("Name or relative path of the file to convert.")]
    target_format: Annotated[Name, says("Format to convert to, one of the service's.")]


_read, _act = reading("Media transcoding"), acting("Media transcoding")

TOOLS = (
    _read("media_transcode_service_search", "Searches services that convert media files.", ServiceSearch),
    _read("media_transcode_job_read", "Reads one of the user's transcoding jobs, or lists them.", JobRead),
    _act("media_transcode_job_create", "Orders the conversion of a media file.", JobCreate),
)
