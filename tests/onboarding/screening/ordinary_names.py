"""Ordinary names of people and companies of many countries, put together from word lists."""

import random
from collections.abc import Callable

# Country: given names | family names.
PEOPLE = """
GB: Oliver Amelia George Charlotte Harry Emily Thomas Sophie | Whitaker Ashworth Bennett Hargreaves
NG: Chinedu Ngozi Emeka Adaeze Tunde Folake Babatunde Ifeoma | Okonkwo Adeyemi Eze Balogun Nwosu Obi
KE: Wanjiku Kamau Achieng Otieno Njeri Kipchoge Mutua Akinyi | Mwangi Odhiambo Kariuki Cheruiyot Maina
GH: Kwame Akosua Kofi Abena Yaw Esi Kojo Adwoa | Mensah Owusu Boateng Asante Appiah Darko
ZA: Thabo Lerato Sipho Nomsa Pieter Annelie Johan Zanele | Nkosi Dlamini Botha Naidoo Khumalo Venter
DE: Lukas Hannah Jonas Lena Felix Marie Matthias Katharina | Schneider Hoffmann Krüger Vogel Lehmann
FR: Julien Camille Antoine Chloé Mathieu Élodie Pierre Manon | Lefèvre Moreau Girard Rousseau Fontaine
ES: Javier Lucía Álvaro Carmen Pablo Marta Sergio Elena | Navarro Iglesias Castillo Ferrer Molina
MX: Guadalupe Alejandro Ximena Rodrigo Fernanda Emiliano Jorge | Hernández Ramírez Villarreal Cervantes
CO: Andrés Valentina Camilo Daniela Felipe Natalia Santiago | Restrepo Ospina Cárdenas Quintero Zapata
BR: João Beatriz Rafael Larissa Gustavo Juliana Thiago Camila | Almeida Carvalho Pereira Nascimento
PT: Tiago Inês Duarte Mariana Gonçalo Leonor Rui Catarina | Fonseca Teixeira Marques Lourenço
IT: Lorenzo Giulia Matteo Chiara Davide Francesca Marco Elisa | Bianchi Esposito Rinaldi Conti Galli
NL: Daan Sanne Bram Femke Jeroen Lotte Maarten Anouk | de_Vries van_den_Berg Bakker Visser Dijkstra
SE: Erik Linnea Gustav Astrid Oskar Ingrid Viktor Elsa | Lindqvist Bergström Nyström Sandberg Ekholm
FI: Mikko Aino Antti Helmi Juhani Venla Timo Kaisa | Virtanen Korhonen Nieminen Laaksonen Heikkilä
PL: Piotr Agnieszka Tomasz Zofia Marek Katarzyna Paweł Hanna | Kowalczyk Wiśniewski Zielińska Nowicki
CZ: Jakub Tereza Ondřej Lucie Vojtěch Kateřina Martin Eliška | Novotný Dvořáková Procházka Kučera
RO: Andrei Ioana Mihai Alexandra Radu Elena Cristian Raluca | Popescu Ionescu Dumitrescu Stoica Marin
GR: Giorgos Eleni Nikos Katerina Dimitris Sofia Kostas Ioanna | Papadopoulos Nikolaidis Georgiou
RU: Aleksei Ekaterina Dmitri Olga Sergei Natalia Mikhail Anna | Smirnov Kuznetsova Popov Lebedeva
UA: Oleksandr Oksana Andriy Iryna Bohdan Kateryna Taras Yulia | Shevchenko Kovalenko Bondarenko Tkachuk
TR: Mehmet Ayşe Mustafa Zeynep Emre Elif Murat Fatma | Yılmaz Demir Kaya Şahin Öztürk Aydın
EG: Ahmed Fatma Mahmoud Nour Khaled Mona Tarek Heba | Hassan Abdelrahman Elsayed Fouad Mansour Shafik
MA: Youssef Khadija Rachid Salma Hicham Imane Karim Zineb | Benali El_Amrani Bennani Alaoui Tazi
AE: Rashid Maryam Saif Hessa Sultan Shamma Majid Noura | Al_Mazrouei Al_Suwaidi Al_Ketbi Al_Shamsi
PK: Bilal Ayesha Usman Sana Hamza Mehwish Faisal Rabia | Malik Chaudhry Qureshi Siddiqui Butt Sheikh
IN: Rohan Priya Arjun Ananya Vikram Kavya Sanjay Meera | Sharma Iyer Patel Reddy Banerjee Kulkarni
BD: Rahim Nusrat Tanvir Farzana Imran Shirin Kamrul Taslima | Chowdhury Rahman Hossain Sarkar Begum
LK: Nuwan Dilani Chaminda Sanduni Ruwan Ishara Kasun Nadeesha | Perera Fernando Jayawardena Silva
CN: Wei Xiuying Jianguo Yuting Haoran Meiling Junjie Xinyi | Zhang Liu Chen Huang Zhao Sun
TW: Chih-ming Shu-fen Chun-hung Ya-ting Wei-lun Pei-shan | Lin Tsai Hsu Cheng Hsieh Kuo
JP: Haruto Yui Takashi Sakura Kenji Aoi Hiroshi Misaki | Sato Takahashi Watanabe Kobayashi Yoshida
KR: Min-jun Seo-yeon Ji-hoon Ha-eun Sung-min Yu-jin | Kim Park Choi Jung Kang Yoon
VN: Minh Linh Tuan Huong Duc Thao Quang Ngoc | Nguyen Tran Pham Hoang Vu Dang
ID: Budi Siti Agus Dewi Hendra Rina Bambang Wulan | Santoso Wijaya Setiawan Hidayat Kusuma Pratama
PH: Jose Maria Angelo Kristine Ramon Jasmine Danilo Rowena | Santos Reyes dela_Cruz Bautista Villanueva
TH: Somchai Malee Anan Siriporn Niran Kanya Prasert Ploy | Srisuk Wongsawat Chaiyaporn Rattanakul
US: Mason Ashley Tyler Brianna Logan Megan Jamal Danielle | Anderson Jackson Mitchell Sullivan Brooks
CA: Liam Maude Étienne Brooke Gabriel Noémie Connor Avery | Tremblay Gagnon MacDonald Fraser Singh
AU: Lachlan Matilda Cooper Isla Angus Zoe Jarrah Tahlia | Thompson Kelly O'Brien Murray Campbell
IE: Conor Aoife Cillian Niamh Padraig Siobhán Declan Orla | Byrne Gallagher Doyle McCarthy Kavanagh
IL: Noam Tamar Eitan Shira Yonatan Michal Amit Noa | Cohen Mizrahi Peretz Biton Friedman
ET: Abebe Tigist Dawit Hanna Yonas Selam Bekele Meron | Tesfaye Alemu Girma Haile Kebede
SN: Mamadou Aminata Ousmane Fatou Cheikh Awa Ibrahima Mariama | Diop Ndiaye Fall Sow Gueye
KZ: Nursultan Aigerim Daniyar Madina Yerlan Aliya Timur Dana | Akhmetov Nurzhanov Ospanova Sadykov
"""  # noqa: E501
# Country: places and surnames that name companies | trades | legal forms.
COMPANIES = """
GB: Ashford Wexcombe Hartley Pennine Severn Lyme | Bakery,Joinery,Books,Plumbing,Digital | Limited,Ltd,LLP
NG: Lekki Zaria Oguta Ibadan Kainji Abeokuta | Agro Foods,Solar,Logistics,Textiles,Pharmacy | Limited,Ltd
KE: Savanna Nakuru Kisumu Naivasha Embu Tsavo | Freight,Tea Growers,Motors,Dairy,Safaris | Limited,Ltd
GH: Volta Kumasi Ashanti Tamale Cape_Coast Akwaba | Cocoa,Timber,Payments,Fisheries | Limited,Ltd
ZA: Drakensberg Karoo Umgeni Highveld Protea | Mining Supplies,Wines,Security,Plastics | (Pty) Ltd,CC
DE: Bergmann Rheintal Hansa Keller Nordsee | Maschinenbau,Software,Verpackung,Optik | GmbH,AG,GmbH & Co. KG
FR: Lumière Garonne Provence Bellefontaine | Boulangerie,Conseil,Transports,Vignobles | SARL,SA,SAS
ES: Guadiana Levante Montseny Sierra_Blanca | Construcciones,Aceites,Hostelería,Energía | S.L.,S.A.
MX: Anáhuac Jacaranda Bajío Tlaquepaque | Alimentos,Ferretería,Muebles,Transportes | S.A. de C.V.,S. de R.L.
CO: Cafetales Quindío Altiplano Boyacá | Flores,Confecciones,Panadería,Ingeniería | S.A.S.,Ltda.
BR: Ipiranga Curitiba Pantanal Araucária | Calçados,Alimentos,Tecnologia,Móveis | Ltda,S.A.
IT: Brianza Etruria Laguna Castelverde | Ceramiche,Gelati,Meccanica,Tessuti | S.r.l.,S.p.A.
NL: Waddenzee Zaanstad Oosterhout Maasland | Bloemen,Techniek,Kaas,Logistiek | B.V.,N.V.
SE: Dalarna Mälaren Skåne Norrland | Snickeri,Data,Bygg,Fastigheter | AB,HB
PL: Wawel Mazury Beskid Pomorze | Budownictwo,Meble,Transport,Oprogramowanie | Sp. z o.o.,S.A.
CZ: Vltava Krkonoše Morava Šumava | Sklárna,Stavby,Strojírna,Pivovar | s.r.o.,a.s.
RO: Carpați Dunărea Bucovina Timiș | Construct,Agricola,Mobila,Soft | SRL,SA
GR: Aegean Olympos Thessalia Kriti | Olive Oil,Shipping,Hotels,Marble | S.A.,Ltd
RU: Rassvet Zarya Berezka Ural-Snab | Stroy,Torg,Les,Servis | OOO,ZAO,LLC
UA: Dnipro Karpaty Poltava Zoria | Agro,Bud,Metal,Soft | LLC,TOV
TR: Anadolu Marmara Karadeniz Efes | Tekstil,Gıda,İnşaat,Mobilya | A.Ş.,Ltd. Şti.
EG: Nile Delta Luxor Sinai Rosetta | Cotton,Contracting,Tourism,Foods | S.A.E.,LLC
MA: Atlas Rif Souss Argane | Huiles,Textile,Voyages,Travaux | SARL,SA
AE: Gulf Pearl Falcon Sands Oasis Crescent | General Trading,Contracting,Logistics,Jewellery | LLC,FZE,FZCO
PK: Indus Chenab Margalla Karakoram | Textile Mills,Steel,Rice Exports,Leather | (Pvt) Ltd,Limited
IN: Ganga Malabar Deccan Sahyadri | Infotech,Spices,Chemicals,Engineering | Private Limited,Pvt. Ltd.,LLP
BD: Padma Meghna Surma Jamuna | Garments,Jute,Knitwear,Ceramics | Ltd,Limited
LK: Kandy Mahaweli Ceylon Galle | Tea Exports,Gems,Apparel,Rubber | (Pvt) Ltd,PLC
CN: Yangtze Lijiang Suzhou Ningbo | Electronics,Machinery,Toys,Import and Export | Co. Ltd,Co., Limited
JP: Hokuto Tanaka Kansai Miyabi | Seiki,Foods,Denki,Construction | K.K.,Co. Ltd
KR: Hanbit Dongseo Saebyeok Mirae | Electronics,Foods,Precision,Chemical | Co. Ltd
VN: Mekong Hoa_Sen Thanh_Long Dalat | Seafood,Coffee,Garment,Furniture | JSC,Co. Ltd
ID: Nusantara Borneo Merapi Bintang | Furniture,Palm Products,Teknologi,Perkasa | PT,Tbk
PH: Luzon Mindanao Sampaguita Mayon | Trading,Foods,Builders,Shipping Lines | Inc.,Corporation
US: Redwood Blue_Ridge Cascade Prairie Sunbelt | Roofing,Analytics,Coffee Roasters,Dental | LLC,Inc.
CA: Maple Laurentian Kootenay Acadia | Lumber,Fisheries,Software,Bakery | Inc.,Ltd.
AU: Wattle Murray Kimberley Coral | Surf Wear,Grain,Civil,Solar | Pty Ltd
IE: Shannon Burren Liffey Claddagh | Dairy,Pharma,Software,Linen | Limited,DAC
IL: Galil Carmel Negev Arava | Irrigation,Cyber,Dates,Medical | Ltd
SN: Teranga Casamance Saloum Baobab | Pêche,Commerce,Mobile,Bâtiment | SARL,SA
KZ: Altyn Steppe Tulpar Saryarka | Munay Service,Grain,Telecom,Stroy | LLP,LLC
"""  # noqa: E501


def people(number: int, seed: int) -> list[str]:
    """Return different names of people, with a second given name in one of three."""
    return _different(_person, _table(PEOPLE), number, seed)


def companies(number: int, seed: int) -> list[str]:
    """Return different names of companies, each with a legal form."""
    return _different(_company, _table(COMPANIES), number, seed)


Columns = list[list[str]]


def _table(text: str) -> list[Columns]:
    return [
        [_choices(column) for column in line.partition(":")[2].split("|")]
        for line in text.strip().splitlines()
    ]


def _choices(column: str) -> list[str]:
    words = column.split("," if "," in column else None)
    return [word.strip().replace("_", " ") for word in words]


def _different(
    make: Callable[[random.Random, Columns], str], table: list[Columns], number: int, seed: int
) -> list[str]:
    chance = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < number:
        found[make(chance, chance.choice(table))] = None
    return list(found)


def _person(chance: random.Random, row: Columns) -> str:
    given, family = row
    names = chance.sample(given, 2 if chance.random() < 1 / 3 else 1)
    return " ".join([*names, chance.choice(family)])


def _company(chance: random.Random, row: Columns) -> str:
    return " ".join(map(chance.choice, row))
