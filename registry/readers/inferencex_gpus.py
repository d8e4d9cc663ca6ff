"""How many GPUs an InferenceX point ran on, and by how many of them its throughput was divided."""

from decimal import Decimal
from typing import NamedTuple

from registry.readers.fields import Fields
from registry.readers.findings import Findings

SAME = Decimal("0.005")
EXACT = Decimal("0.001")


class Gpus(NamedTuple):
    """Accelerators in all, and in the prefill and decode parts where these are apart."""

    total: int | None
    prefill: int | None = None
    decode: int | None = None

    @property
    def split(self) -> bool:
        return self.prefill is not None and self.decode is not None


def gpus(row: Fields) -> Gpus:
    """One node: tensor × pipeline × prefill-context parallel. Several: prefill and decode GPUs, as the file states them."""
    prefill, decode = row.some("num_prefill_gpu"), row.some("num_decode_gpu")
    if row.flag("is_multinode") or row.flag("disagg"):
        if not prefill or not decode:
            return Gpus(row.some("num_gpus") or prefill or decode)
        if row.flag("disagg") is False:
            # Both parts run on the same GPUs, or they do not: two counts and no separation leave the sum open.
            return Gpus(row.some("num_gpus"))
        return Gpus(prefill + decode, prefill, decode)
    tensor = row.some("tp") or row.some("decode_tp")
    if tensor is None:
        return Gpus(row.some("num_gpus") or decode or prefill)
    return Gpus(tensor * (row.some("pp") or 1) * (row.some("pcp_size") or 1))


def shown(system: Gpus, measured: Fields, findings: Findings) -> Gpus:
    """Prefill and decode GPUs of a point of 2025 that states their sum alone, by the one split its three rates allow.

    With d decode GPUs of T, output × d + input × (T - d) = total × T; a whole number d between 0 and T is no accident.
    """
    total, output, prompt = (measured.positive(f"{kind}tput_per_gpu") for kind in ("", "output_", "input_"))
    if system.total is None or system.split or not total or not output or not prompt or output == prompt:
        return system
    if parts_of(total, output, prompt, (1, 1, 1)):
        return system
    decode = system.total * (total - prompt) / (output - prompt)
    whole = int(decode.to_integral_value())
    if abs(decode - whole) > EXACT or not 0 < whole < system.total:
        return system
    found = Gpus(system.total, system.total - whole, whole)
    findings.warn(
        "split-shown",
        f"The point states {system.total} GPUs as one number; its rates add up only if {found.decode} of them decode and "
        f"{found.prefill} prefill.",
        "tp",
    )
    return found


def throughput(measured: Fields, system: Gpus, findings: Findings) -> None:
    """Rates per GPU under the divisor that the three of them show together."""
    total, output, prompt = (measured.positive(f"{kind}tput_per_gpu") for kind in ("", "output_", "input_"))
    whole = "throughput_per_accelerator_client"
    findings.rate(f"total_{whole}", "tput_per_gpu", total, divisor=system.total)
    if output and (not system.split or parts_of(total, output, prompt, (1, 1, 1))):
        if prompt and total and not parts_of(total, output, prompt, (1, 1, 1)):
            leave_out(findings)
            return
        findings.rate(f"output_{whole}", "output_tput_per_gpu", output, divisor=system.total)
        findings.rate(f"input_{whole}", "input_tput_per_gpu", prompt, divisor=system.total)
        return
    if not output or not system.split:
        return
    assert system.prefill is not None
    assert system.decode is not None
    if (
        prompt
        and total
        and not parts_of(
            total, output, prompt, (system.prefill + system.decode, system.decode, system.prefill)
        )
    ):
        leave_out(findings)
        return
    findings.rate(
        "output_throughput_per_decode_accelerator_client",
        "output_tput_per_gpu",
        output,
        divisor=system.decode,
    )
    findings.rate(
        "input_throughput_per_prefill_accelerator_client",
        "input_tput_per_gpu",
        prompt,
        divisor=system.prefill,
    )
    findings.warn(
        "divided-by-part",
        f"Output is per decode GPU ({system.decode}), input per prefill GPU ({system.prefill}), the total per GPU of all "
        f"{system.total}: the three share no divisor.",
        "output_tput_per_gpu",
    )


def parts_of(
    total: Decimal | None, output: Decimal | None, prompt: Decimal | None, weights: tuple[int, int, int]
) -> bool:
    """Whether output and input, times their GPUs, make the total times its own."""
    if not total or not output or not prompt:
        return False
    whole = total * weights[0]
    return abs(whole - output * weights[1] - prompt * weights[2]) < whole * SAME


def leave_out(findings: Findings) -> None:
    findings.warn(
        "divisor-unclear",
        "Output and input per GPU do not add up to the total under any stated number of GPUs, so by how many they were "
        "divided is not clear: both are left out.",
        "output_tput_per_gpu",
    )
