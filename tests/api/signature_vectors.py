"""Test vectors for delivery signatures, and the verifier's answer in each case."""

import hmac

S1 = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIj"
S2 = "whsec_JCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZH"
T = 1_788_004_800
PAID = (
    '{"id":"evt_01K3VQ6T9Z8Q4J7M2N5P0R1S3T","object":"event","type":"checkout_session.paid",'
    '"created_at":"2026-08-29T12:00:00.000Z","environment":"live","api_version":"2026-08-29",'
    '"sequence":3,"data":{"id":"cs_live_7Q2M4K9P1R6T8W3Y5Z0B2D4F6H","object":"checkout_session",'
    '"status":"paid","method":"bank_transfer","currency":"NGN","amount_minor":150000,'
    '"paid_amount_minor":155000,"outstanding_amount_minor":0,"reference":"ORD-1001",'
    '"expires_at":"2026-08-29T12:30:00.000Z","paid_at":"2026-08-29T12:00:00.000Z",'
    '"deposit_id":"dep_01K3VQ6T9Z8Q4J7M2N5P0R1S3U","metadata":{},"surplus_minor":5000,'
    '"payments":2}}'
)
V1 = "86ac1c557fefd473a509d929d3aa92efeceab943505284333a034d226a7735d8"
V9_TIME = 1_788_004_800_000
V9 = "227a9ce052f865e769de3825fff90fde6c93e4c4bc887eb62f6da87dc3ac139f"
# Secret, time, body, its length in bytes, v1.
VECTORS = {
    "V1": (S1, T, "{}", 2, V1),
    "V2": (S1, T, PAID, 597, "105d2936454f9585d91efd96102307c51b10a630d61e878529b0920a723b9c7a"),
    "V3": (S1, T, '{"description":"Ọjà ₦1,500 — naïve ☕"}', 48,
           "7906dd721085a0ab0e8737ad96ae793160abffe7b1003435f0873d8732e2480a"),
    "V4": (S1, T, "", 0, "dc2099ec5f9d78945e171de4119a957900e4a49764bfd7ace5816ab26428d1bb"),
    "V5": (S1, T, "{}\n", 3, "ec6345f4b6c870761c52a26b32d0568c03e40740f8aeae43c969366a74ebb3f6"),
    "V6": (S1, T, "{ }", 3, "028166c488e9c0bf62a8253fae370d2733e4d53662846cc28f7b8bd8c8215702"),
    "V7": (S2, T, "{}", 2, "2c15847adb9ec1b9b484b4d19eac124137f2d76f67d1dadb0d4d5a99fc065d44"),
    "V8": (S1, 0, "{}", 2, "fb7dc736cb4e8f0f9be7006c9ce225b41b0f9ab292e739dd203b644f976c457e"),
    "V9": (S1, V9_TIME, "{}", 2, V9),
    "V10": (S1, T, r'{"a":"\u0000\r\n"}', 18,
            "b509c08b2d39ad498092c432dfe84179630b509169e9903d5e19ffc4a66ba69b"),
    "V11": ("Jefe", T, "what do ya want for nothing?", 28,
            "854444cfa621f695df30238ce8c66c08da5252302e4c21fbce5de1d40ad5e35e"),
    "V12": (S1, T, '{"p":"' + "a" * 20_000 + '"}', 20_008,
            "b05beca7105415554a428860c2250a6266336f677185a03035b4a997dac1bac5"),
    "V13": (S2, T, PAID, 597, "35ca1172f9efb024002be46aec39d25c8001f2e9eea91b545dcc473a192ce33d"),
}  # fmt: skip

GOOD = f"t={T},v1={V1}"
BAD = "0" * 64


def _case(header, accepted, *, now=T, body=b"{}"):
    return {"header": header, "body": body.hex(), "now": now, "accepted": accepted}


def _signed(time):
    """Return a header with a valid signature for the time as written."""
    v1 = hmac.new(S1.encode(), f"{time}.{{}}".encode(), "sha256").hexdigest()
    return f"t={time},v1={v1}"


# The verifier's table: key S1 and the body of V1 unless a case says otherwise.
CASES = {
    "RC1": _case(GOOD, True),
    "RC2": _case(GOOD, True, now=T + 300),
    "RC3": _case(GOOD, False, now=T + 301),
    "RC4": _case(GOOD, True, now=T - 300),
    "RC5": _case(GOOD, False, now=T - 301),
    "RC6": _case(f"t={T}", False),
    "RC7": _case(f"v1={V1}", False),
    "RC8 empty": _case("", False),
    "RC8 absent": _case(None, False),
    "RC9": _case(f"v1={V1},t={T}", True),
    "RC10": _case(f"t={T}, v1={V1}", True),
    "RC11": _case(f"t={T},v1=9{V1[1:]}", False),
    "RC12": _case(f"t={T},v1={V1.upper()}", False),
    "RC13": _case(f"t={T},v0=xxxx,v1={V1}", True),
    "RC14": _case(f"t={T},t=1,v1={V1}", False),
    "RC15": _case(f"t={T},v1={BAD},v1={V1}", True),
    "RC16 zero": _case(_signed(f"0{T}"), False),
    "RC16 sign": _case(_signed(f"+{T}"), False),
    "RC16 fraction": _case(_signed(f"{T}.0"), False),
    "RC16 full width": _case(_signed(f"１{str(T)[1:]}"), False),
    "RC16 empty": _case(_signed(""), False),
    "RC16 underscore": _case(_signed("1_788_004_800"), False),
    "RC16 exponent": _case(_signed("1788004800e0"), False),
    "RC17": _case(f"t={V9_TIME},v1={V9}", False),
    "RC18": _case(GOOD, False, body=b"{ }"),
    "RC19 line end": _case(GOOD, False, body=b"{}\n"),
    "RC19 mark": _case(GOOD, False, body=b"\xef\xbb\xbf{}"),
    "RC20 63": _case(f"t={T},v1={V1[:-1]}", False),
    "RC20 65": _case(f"t={T},v1={V1}0", False),
    "RC20 no hex": _case(f"t={T},v1={'z' * 64}", False),
    "RC20 no ascii": _case(f"t={T},v1={'é' * 64}", False),
    "RC20 long": _case(f"t={T},v1={'a' * 1_000_000}", False),
    "other words": _case("a,b=,=c,=,,;", False),
}
