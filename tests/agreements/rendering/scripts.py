"""A business in each script that the documents support, and in one that they do not."""

NAMES = {
    "Han": "北京晨光支付科技有限公司",
    "Kana": "カナリア決済サービス株式会社",
    "Hangul": "한빛결제 주식회사",
    "Arabic": "شركة الأمل الأهلية للمدفوعات",
    "Hebrew": "אור ראשון תשלומים בע״מ",
    "Devanagari": "सूर्योदय भुगतान सेवाएँ प्राइवेट लिमिटेड",
    "Bengali": "সূর্যোদয় পেমেন্ট সার্ভিসেস লিমিটেড",
    "Tamil": "உதயம் கட்டண சேவைகள் நிறுவனம்",
    "Telugu": "సూర్యోదయ చెల్లింపుల సేవలు",
    "Thai": "บริษัท รุ่งอรุณ ชำระเงิน จำกัด",
    "Khmer": "ក្រុមហ៊ុន អរុណោទ័យ សេវាទូទាត់",
    "Ethiopic": "ንጋት የክፍያ አገልግሎት",
}
MORE = {
    "Vietnamese": "Công ty Cổ phần Nguyễn Thị Ánh Tuyết Đường",
    "Igbo": "Chịdị Ọgbọnna Ụzọ Ṅkụ Ltd",
    "Igbo with tones": "Chị́dị̀ Ọ́gbọ̀nna Ụ̀zọ m̀ Ltd",
    "Yoruba": "Ọláṣubọ̀mí Adéọlá Ẹ̀kọ́ ǹlá",
    "Cyrillic": "Рассвет Платежи ООО",
    "Greek": "Αυγή Πληρωμές ΑΕ",
    "Persian": "پرداخت سپیدار",
    "Urdu": "ادائیگی سروسز لمیٹڈ",
    "Armenian": "Արշալույս Վճարումներ",
    "Georgian": "განთიადი გადახდები",
    "Gujarati": "સૂર્યોદય ચુકવણી",
    "Gurmukhi": "ਸੂਰਜ ਭੁਗਤਾਨ",
    "Kannada": "ಸೂರ್ಯೋದಯ ಪಾವತಿ",
    "Malayalam": "സൂര്യോദയം പേയ്മെന്റ്",
    "Myanmar": "နေထွက်ချိန် ငွေပေးချေမှု",
    "Lao": "ອາລຸນ ການຊຳລະ",
    "Oriya": "ସୂର୍ଯ୍ୟୋଦୟ ଦେୟ",
    "Sinhala": "උදාව ගෙවීම්",
}
# Thaana: none of our typefaces contains it.
UNSET = "ދިވެހި ޕޭމަންޓް"
