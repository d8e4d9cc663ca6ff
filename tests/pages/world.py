"""A small registry with one of everything readers can meet, recorded over some months of 2024."""

from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from types import SimpleNamespace

from django.contrib.auth.models import Permission
from django.db import connection, transaction

from registry.actions.claims import draft_claim
from registry.actions.lifecycle import publish, revise, submit
from registry.actions.reproductions import draft_reproduction
from registry.actions.subjects import change_subject
from sources.actions.sources import record_verification
from tests import factories

READ = date(2024, 2, 1)
FIRST = date(2024, 3, 1)
CORRECTED = date(2024, 5, 1)
WITHDRAWN = date(2024, 6, 1)
ODD = 'A & B < C, "quoted" | pipe * star _under_ [x](y) `tick` #1'


def build():
    """Everything, in one transaction. Gives back the records by short names."""
    with transaction.atomic():
        world = SimpleNamespace(editor=factories.user("author"))
        _organisations(world)
        _sources(world)
        _properties(world)
        _subjects(world)
        _claims(world)
        note = "The maker dropped the suffix."
        world.a2 = change_subject(world.a2, {"slug": "aster-a2"}, by=world.editor, note=note)
    return world


@contextmanager
def earlier():
    """Record dates may be earlier than today, as a bundle may give them."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('registry.bundle', 'tests of pages', true)")
        yield
        cursor.execute("SELECT set_config('registry.bundle', '', true)")


def recorded(entry, day):
    """A draft brought to published with this record date."""
    with earlier():
        rows = type(entry).objects.filter(pk=entry.pk)
        rows.update(status="submitted")
        rows.update(status="published", record_date=day)
    entry.refresh_from_db()
    return entry


def ended(entry, day, reason):
    """A published entry, withdrawn on this day."""
    with earlier():
        type(entry).objects.filter(pk=entry.pk).update(status="withdrawn", ended_on=day, end_note=reason)
    entry.refresh_from_db()
    return entry


def corrected(world, claim, day, note, **changes):
    """The next revision of a claim, recorded on this day."""
    draft = revise(claim, by=world.editor, kind="correction", note=note)
    for field, value in changes.items():
        setattr(draft, field, value)
    draft.save(update_fields=[*changes])
    return recorded(draft, day)


def said(world, subject, property_, text="", value=None, *, passages, day=FIRST, **fields):
    """A claim of the subject's maker, recorded on this day; `passages` are passages, or (passage, stance) pairs."""
    draft = draft_claim(
        by=world.editor,
        cited=[each if isinstance(each, tuple) else (each, "supports") for each in passages],
        subject=subject,
        property=property_,
        asserter=fields.pop("asserter", subject.maker),
        text=text,
        value=None if value is None else Decimal(value),
        **fields,
    )
    return recorded(draft, day)


def reproduced(world, claim, outcome="reproduced", day=CORRECTED, performer=None, **fields):
    """A reproduction of a claim by the laboratory, citing its report."""
    draft = draft_reproduction(
        by=world.editor,
        cited=[(world.measured, "supports")],
        claim_number=claim.number,
        performer=performer or world.lab,
        outcome=outcome,
        **fields,
    )
    return recorded(draft, day)


def _organisations(world):
    world.group = factories.organisation(key="aster-group", name="Aster Group")
    world.aster = factories.organisation(key="aster", name="Aster", parent=world.group)
    world.boreal = factories.organisation(key="boreal", name="Boreal & Sons")
    world.quill = factories.organisation(key="quill", name="Quill", kind="model publisher")
    world.loom = factories.organisation(key="loom-project", name="Loom project", kind="project")
    world.lab = factories.organisation(key="meridian-lab", name="Meridian Lab", kind="independent")


def _sources(world):
    def source(key, publisher, title, *, read=((READ, "full text"),), **fields):
        made = factories.source(verified=False, key=key, publisher=publisher, title=title, **fields)
        for day, representation in read:
            record_verification(made, on=day, representation=representation, by=world.editor)
        return made

    published = {"date_basis": "published", "published_precision": "day"}
    world.sheet = source(
        "aster-a1-sheet",
        world.aster,
        "Aster A1 data sheet",
        product="Aster A1",
        version="2.1",
        published_on=date(2024, 1, 15),
        scope_notes=["Peak figures", "Not used for measured throughput"],
        archive_url="https://archive.example/aster-a1",
        read=((READ, "excerpt"), (date(2024, 6, 1), "full text")),
        **published,
    )
    world.overview = source(
        "aster-overview",
        world.aster,
        "A1 & A2: “compact” <b>boards</b>, overview",
        kind="product page",
        link_kind="floating",
    )
    world.hearsay = source(
        "boreal-sheet",
        world.boreal,
        "Boreal B1 — specifications",
        title_stands_alone=True,
        date_basis="last modified",
        last_modified_on=date(2024, 1, 1),
        last_modified_precision="month",
        read=((READ, "transcription"),),
    )
    world.report = source(
        "meridian-report",
        world.lab,
        "Measured throughput",
        kind="benchmark results",
        attribution_role="third party",
        date_basis="published",
        published_on=date(2024, 1, 1),
        published_precision="year",
        scope_notes=["Historical experiment boundary;"],
    )
    world.old_sheet = source(
        "aster-a1-old",
        world.aster,
        "Aster A1 data sheet, preliminary",
        state="superseded",
        superseded_by=world.sheet,
        published_on=date(2023, 11, 1),
        **published,
    )
    world.retracted = source("boreal-retracted", world.boreal, "Boreal roadmap", state="withdrawn")
    world.card = source(
        "quill-card",
        world.quill,
        "Quill 7B model card",
        kind="model card",
        date_basis="last modified",
        last_modified_on=date(2024, 1, 20),
        last_modified_precision="day",
    )
    latest = source(
        "loom-latest", world.loom, "Loom documentation", kind="documentation", link_kind="floating"
    )
    world.docs = source(
        "loom-0-31-0",
        world.loom,
        "Loom documentation",
        kind="documentation",
        product="Loom",
        version="0.31.0",
        edition_of=latest,
        attribution_role="project",
        read=((READ, "excerpt"),),
    )
    words = "1,979 TFLOPS of FP8, dense"
    world.page_two = factories.passage(world.sheet, locator="p. 2, table 1", quotation=words)
    world.preliminary = factories.passage(world.old_sheet, locator="p. 1")
    world.boards = factories.passage(world.overview, locator='section "Boards" & more', quotation=ODD)
    world.transcribed = factories.passage(world.hearsay, locator="table 3")
    world.measured = factories.passage(world.report, locator="row 14", quotation="742 W at the board")
    world.licensed = factories.passage(world.card, locator="License", quotation="Apache-2.0")
    world.documented = factories.passage(world.docs, locator="Install")


def _properties(world):
    def property_(key, label, group, position, unit="", *, kind="gpu", quantity="", condition="", **fields):
        return factories.property_(
            kind,
            key=key,
            label=label,
            group=group,
            position=position,
            unit=unit,
            quantity=f"{quantity or label} in tests",
            condition=condition,
            datatype="quantity" if unit else "text",
            performance_figure=fields.get("performance_figure", False),
            headline=fields.get("headline", False),
            definition=f"{label}, as the maker defines it.",
        )

    world.memory = property_("memory", "Memory capacity", "Memory", 10, "GB", headline=True)
    world.bandwidth = property_("bandwidth", "Memory bandwidth", "Memory", 20, "TB/s")
    fp8 = {"quantity": "Peak FP8 throughput", "performance_figure": True}
    world.dense = property_(
        "peak-fp8-dense",
        "Peak FP8 throughput, dense",
        "Compute",
        30,
        "TFLOPS",
        condition="dense",
        headline=True,
        **fp8,
    )
    world.sparse = property_(
        "peak-fp8-sparse",
        "Peak FP8 throughput, with sparsity",
        "Compute",
        31,
        "TFLOPS",
        condition="with sparsity",
        **fp8,
    )
    world.power = property_("board-power", "Board power", "Power", 40, "W")
    world.links = property_("links", "Links between boards", "Links", 50)
    # Groups whose anchor is that of a property or of a part of every page.
    world.license = property_("terms", "License", "Terms", 10, kind="checkpoint", headline=True)
    world.parameters = property_(
        "parameters", "Total parameters", "Sources", 20, "billion parameters", kind="checkpoint"
    )
    world.packages = property_("packages", "Packages", "History", 10, kind="runtime", headline=True)


def _subjects(world):
    def gpu(key, name, maker, form="", kind="accelerator"):
        return factories.subject(
            "gpu",
            key=key,
            name=name,
            maker=maker,
            family="Test line",
            detail={"kind": kind, "form_factor": form},
        )

    world.a1 = gpu("aster-a1", "Aster A1", world.aster, "SXM board")
    world.a2 = gpu("aster-a2-sxm", "aster a2", world.aster)
    world.b1 = gpu("boreal-b1", "Boreal B1 & <i>rack</i>", world.boreal, "", "rack-scale system")
    world.a3 = gpu("zenith-z3", "Zenith Z3", world.aster)
    world.more = [gpu(f"mote-{n}", f"Mote {n}", world.boreal) for n in (1, 2, 3)]
    world.quill_7b = factories.subject(
        "checkpoint",
        key="quill-7b",
        name="quill-7b",
        maker=world.quill,
        detail={"identifier": "quill/Quill-7B"},
    )
    world.quill_9b = factories.subject(
        "checkpoint",
        key="quill-9-5b",
        name="Quill 9.5B",
        maker=world.quill,
        detail={"identifier": "quill/Quill-9.5B"},
    )
    world.loom_engine = factories.subject(
        "runtime",
        key="loom",
        name="Loom",
        maker=world.loom,
        detail={"layer": "serving engine", "repository": "loom/loom"},
    )
    world.shuttle = factories.subject(
        "runtime", key="shuttle", name="Shuttle", maker=world.loom, detail={"layer": "orchestration"}
    )


def _claims(world):
    sheet, boards = [world.page_two], [world.boards]
    world.unreproduced = said(world, world.a1, world.dense, "1,979 TFLOPS", 1979, passages=sheet)
    world.a1_sparse = said(world, world.a1, world.sparse, "3,958 TFLOPS", 3958, passages=sheet)
    world.a1_memory = said(
        world, world.a1, world.memory, "96 GB", 96, passages=[world.page_two, world.boards]
    )
    world.up_to = said(world, world.a1, world.power, "up to 700W", 700, passages=sheet, bound="at most")
    world.other = said(
        world, world.a1, world.power, "742 W", 742, passages=[world.measured], asserter=world.lab
    )
    world.a1_links = said(
        world,
        world.a1,
        world.links,
        "Four links, all to all",
        passages=sheet,
        conditions=ODD,
        boundary="Within a node",
    )
    first = said(world, world.a1, world.bandwidth, "3.2 TB/s", "3.2", passages=[world.preliminary])
    world.first_revision = first
    world.second_revision = corrected(
        world,
        first,
        CORRECTED,
        "The data sheet says 3.35, not 3.2.",
        text="3.35 TB/s",
        value=Decimal("3.350"),
    )
    world.a2_memory = said(world, world.a2, world.memory, "96GB", 96, passages=boards)
    world.not_stated = said(world, world.a2, world.dense, passages=boards, value_kind="not stated")
    world.a2_sparse = said(world, world.a2, world.sparse, "2100 TFLOPS", 2100, passages=boards)
    world.derived = said(
        world,
        world.a2,
        world.bandwidth,
        "3.2 TB/s",
        "3.2",
        passages=boards,
        derivation="Eight stacks of 0.4 TB/s each.",
    )
    world.b1_memory = said(world, world.b1, world.memory, "192 GB", 192, passages=[world.transcribed])
    world.second_hand = said(world, world.b1, world.dense, "2.6 PFLOPS", 2600, passages=[world.transcribed])
    world.withheld = said(world, world.b1, world.power, passages=[world.transcribed], value_kind="withheld")
    world.none = said(world, world.b1, world.links, passages=[world.transcribed], value_kind="none")
    taken_back = said(world, world.b1, world.bandwidth, "53 TB/s", 53, passages=[world.transcribed])
    world.withdrawn = ended(taken_back, WITHDRAWN, "The transcription had lost a decimal point.")
    world.reproduced = said(world, world.a3, world.dense, "900 TFLOPS", 900, passages=boards)
    reproduced(world, world.reproduced, text="896 TFLOPS", tolerance="1 %")
    world.failed = said(world, world.a3, world.sparse, "1800 TFLOPS", 1800, passages=boards)
    reproduced(world, world.failed, "not reproduced", text="1100 TFLOPS")
    world.range = said(
        world, world.a3, world.power, "400–450 W", passages=boards, low=Decimal(400), high=Decimal(450)
    )
    world.contested = said(
        world,
        world.a3,
        world.memory,
        "80 GB",
        80,
        passages=[world.boards, (world.measured, "contradicts"), (world.preliminary, "context")],
    )
    for position, mote in enumerate(world.more):
        said(world, mote, world.memory, f"{position + 1} GB", position + 1, passages=[world.transcribed])
    said(world, world.quill_7b, world.license, "Apache-2.0", passages=[world.licensed])
    said(world, world.quill_7b, world.parameters, "7.5 billion parameters", "7.5", passages=[world.licensed])
    said(world, world.quill_9b, world.license, "=HYPERLINK(1)", passages=[world.licensed])
    said(world, world.loom_engine, world.packages, "-f wheels", passages=[world.documented])
    said(world, world.shuttle, world.packages, "Debian", passages=[world.documented])
    world.self_reviewed = _self_reviewed(world, world.a2, world.power, "500 W", 500)


def _self_reviewed(world, subject, property_, text, value):
    """A claim whose author published it, today."""
    author = factories.user("reviewer")
    author.user_permissions.add(Permission.objects.get(codename="publish_own_claim"))
    draft = draft_claim(
        by=author,
        cited=[(world.boards, "supports")],
        subject=subject,
        property=property_,
        asserter=subject.maker,
        text=text,
        value=Decimal(value),
    )
    return publish(submit(draft, by=author, note="Alone today."), by=author)


def public_addresses(world):
    """The address of every kind of public page, with what its query can be."""
    claims = [
        world.unreproduced, world.second_revision, world.not_stated, world.derived, world.second_hand, world.withheld,
        world.none, world.reproduced, world.failed, world.range, world.contested, world.self_reviewed, world.a1_links,
    ]  # fmt: skip
    return [
        "/",
        "/resources",
        "/gpus",
        "/gpus?q=aster",
        "/models",
        "/inference-stack",
        "/gpus/compare",
        "/gpus/compare?ids=aster-a1",
        "/gpus/compare?ids=aster-a1,boreal-b1,aster-a2,zenith-z3",
        "/gpus/compare?ids=boreal-b1,aster-a1&group=Compute&diff=1",
        f"/gpus/compare?ids=aster-a1,aster-a2&as_of={FIRST}",
        "/models/compare?ids=quill-7b,quill-9-5b",
        "/inference-stack/compare?ids=loom,shuttle",
        *(f"/gpus/{subject.slug}" for subject in (world.a1, world.a2, world.b1, world.a3, *world.more)),
        f"/gpus/aster-a1?as_of={FIRST}",
        "/models/quill-7b",
        "/inference-stack/loom",
        "/sources",
        "/sources?kind=datasheet",
        *(
            f"/sources/{source.key}"
            for source in (world.sheet, world.overview, world.hearsay, world.old_sheet)
        ),
        *(f"/sources/{source.key}" for source in (world.report, world.docs, world.card, world.retracted)),
        *(f"/claims/C-{claim.number}" for claim in claims),
        f"/claims/C-{world.first_revision.number}/1",
        f"/claims/C-{world.first_revision.number}/2",
        f"/claims/C-{world.withdrawn.number}/1",
        "/corrections",
        "/about/link-checker",
    ]
