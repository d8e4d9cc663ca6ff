"""How large a body may be that brings files: 50 MB at the one door for benchmark results, 10 MB everywhere else.

Django bounds every part of a form but its files, and reads them before any view runs. So the limit stands here, where
the address is known and nothing is read yet.
"""

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler, SkipFile

from registry.readers.text import MAX_BYTES

DOOR = "admin:registry_benchmarkrecord_import"
PERMISSION = "registry.add_benchmarkrecord"
AROUND = 64 * 1024  # bytes of a form around its file
READ_AND_DROPPED = 4 * MAX_BYTES  # so far a body is read to its end, so that the form can say what is wrong


class OneDoor(FileUploadHandler):
    """Stands before the handlers that keep files. A file that is too large is dropped as it comes, and never kept."""

    too_large = False

    def handle_raw_input(self, input_data, META, content_length, boundary, encoding=None):
        at_the_door = self._at_the_door()
        if content_length > (READ_AND_DROPPED if at_the_door else settings.DATA_UPLOAD_MAX_MEMORY_SIZE):
            raise RequestDataTooBig(
                f"The body has {content_length:,} bytes, more than is read at this address."
            )
        self.too_large = self.request.file_too_large = content_length > MAX_BYTES + AROUND

    def _at_the_door(self):
        match, user = self.request.resolver_match, getattr(self.request, "user", None)
        return bool(match and user) and match.view_name == DOOR and user.has_perm(PERMISSION)

    def new_file(self, *args, **kwargs):
        if self.too_large:
            raise SkipFile
        return super().new_file(*args, **kwargs)

    def receive_data_chunk(self, raw_data, start):
        return raw_data  # for the next handler

    def file_complete(self, file_size):
        return None
