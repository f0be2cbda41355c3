"""A circuit on paper, in files and in a frame of any page, as a visitor may see it (Y3)."""

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from players.web.qr import draw_qr
from players.web.requests import read_number
from tournaments.circuits import exports
from tournaments.circuits.explained import read_circuit_page
from tournaments.circuits.web import get_circuit_or_404
from tournaments.core.web import build_address, count_files
from tournaments.sharing import file_formats
from tournaments.sharing.embed_views import THEMES
from tournaments.sharing.views import XLSX


@require_safe
@count_files
def export_circuit(request: HttpRequest, public_id: str, what: str, kind: str) -> HttpResponse:
    """Return a table of the circuit as a file: ``what`` and ``kind`` are in the address and never change."""
    circuit = get_circuit_or_404(public_id)
    if what not in exports.SHEETS:
        raise Http404
    sheet = exports.SHEETS[what](read_circuit_page(circuit, None, whole=True))
    if kind == "json":
        body = {"circuit": exports.export_circuit_header(circuit), exports.KEYS[what]: sheet.records()}
        response: HttpResponse = JsonResponse(body, json_dumps_params={"ensure_ascii": False})
    elif kind == "csv":
        response = HttpResponse(file_formats.write_csv(sheet), content_type="text/csv; charset=utf-8")
    else:
        response = HttpResponse(file_formats.write_workbook(sheet, what), content_type=XLSX)
    response["Content-Disposition"] = f'attachment; filename="{what}-{circuit.public_id}.{kind}"'
    return response


@require_safe
@count_files
def print_circuit(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the circuit as it goes on paper."""
    circuit = get_circuit_or_404(public_id)
    url = build_address(request, "circuit", public_id)
    page = read_circuit_page(circuit, None, whole=True)
    context = {"circuit": circuit, "page": page, "now": timezone.now(), "url": url, "qr": draw_qr(url)}
    with timezone.override(timezone.get_default_timezone()):
        return render(request, "tournaments/circuits/print.html", context)


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]
def show_circuit_embed(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the circuit in a frame of any page: no reader is asked for or shown, and there is nothing to press.

    ``tema``: chiaro or scuro, else the device's; ``lingua``: it or en.
    """
    circuit = get_circuit_or_404(public_id)
    language = "en" if request.GET.get("lingua") == "en" else "it"
    with translation.override(language):
        number = read_number(request.GET.get("pagina", ""), 1)
        context = {
            "circuit": circuit,
            "page": read_circuit_page(circuit, None, number=number),
            "url": build_address(request, "circuit", public_id),
            "theme": THEMES.get(request.GET.get("tema", ""), "auto"),
            "language": language,
        }
        return render(request, "tournaments/circuits/embed.html", context)
