/** Families of companies (`parseFamilies`). */
export const familiesOtherRegions = `
IT Ferrero; Ferrero International; Ferrero Deutschland; Ferrero Commerciale Italia; Soremartec | Nutella; Kinder; Ferrero Rocher; Tic Tac; Raffaello; Hanuta; Duplo | @ferrero.com ferrero.it | !Ferrero Legno; Ferrero Mangimi; Ferrero Legnami
IT Ferrari; Ferrari S.p.A.; Ferrari N.V. | Scuderia Ferrari; Ferrari World | @ferrari.com | !Ferrari Trento; F.lli Lunelli; Studio Ferrari; Ferrari Group; Ferrari Computer; Ferrari Costruzioni; Ferrari Giovanni Industria
IT Luxottica; EssilorLuxottica; Essilor; Luxottica Group; Luxottica of America; Essilor International | Ray-Ban; Oakley; Persol; Oliver Peoples; Sunglass Hut; LensCrafters; GrandVision | @essilorluxottica.com luxottica.com
IT Enel; Enel Energia; Enel S.p.A.; Enel X | Endesa; Endesa Energía; Enel Green Power; E-Distribuzione; Servizio Elettrico Nazionale; Enel Distribuição; Enel Chile
IT Eni; Eni S.p.A.; Eni Gas e Luce | Plenitude; Eni Plenitude; Enilive; Versalis; Agip; Enjoy; Be Charge
IT Generali; Assicurazioni Generali; Generali Italia; Generali Versicherung; Generali Deutschland; Generali France | Alleanza Assicurazioni; Genertel; CosmosDirekt; Europ Assistance; Cattolica; Advocard; Dialog | !Generali Arena; Affari Generali; Studi Generali
IT Intesa Sanpaolo; Banca Intesa; Intesa | Fideuram; Isybank; Privredna banka Zagreb; VÚB; CIB Bank; Eurizon; Banca Intesa Beograd
IT UniCredit; Unicredito Italiano; UniCredit Bank; UniCredit S.p.A. | HypoVereinsbank; Bank Austria; Zagrebačka banka; Buddybank; Bulbank; Alpha Bank Romania; HVB
IT Telecom Italia; TIM; TIM S.p.A.; Gruppo TIM | Kena Mobile; Noovle; Olivetti; Sparkle; TIM Brasil; Telsy; TIM Celular | @tim.it gruppotim.it | !Tim Hortons; Tim Ferriss; Tim Holtz
IT Prada; Prada S.p.A.; Gruppo Prada; Prada Retail | Miu Miu; Church's; Car Shoe; Versace; Marchesi 1824; Gianni Versace; Luna Rossa
IT OVS; OVS S.p.A.; Gruppo Coin | Upim; Stefanel; Goldenpoint; Coin
IT Unipol; Unipol Gruppo; UnipolSai; UnipolSai Assicurazioni; Unipol Assicurazioni | Linear Assicurazioni; UniSalute; UnipolTech; UnipolRental; Arca Vita; UnipolMove; Compagnia Assicuratrice Linear | !Agenzia Unipol; Agenzia UnipolSai
IT De'Longhi; De Longhi; De'Longhi Appliances | Kenwood; Braun Household; Ariete; NutriBullet; La Marzocco; Eversys; De'Longhi Braun Household | !Longhi; Studio Legale Longhi
IT Lavazza; Luigi Lavazza | Carte Noire; Kicking Horse; Merrild; Cofincaf; 1895 Coffee; Flavia
IT Campari; Davide Campari; Davide Campari-Milano; Campari Group | Aperol; SKYY Vodka; Grand Marnier; Wild Turkey; Courvoisier; Cinzano; Crodino
IT Barilla; Barilla G. e R. Fratelli | Mulino Bianco; Wasa; Filiz; Misko; Pavesi; Harrys; Pasta Evangelists
IT Moncler; Industries S.p.A. | Stone Island; Moncler Genius; Sportswear Company
IT Benetton; Benetton Group; United Colors of Benetton | Sisley; Undercolors
IT Calzedonia; Oniverse; Calzedonia Holding | Intimissimi; Tezenis; Falconeri; Signorvino; Atelier Emé; Tezenis Srl; Intimo 3
IT Pirelli; Pirelli Tyre; Pirelli Deutschland | Metzeler; Driver Reifen; Pneumobil; Driver Center
IT Armani; Giorgio Armani; G.A. Operations | Emporio Armani; Armani Exchange; EA7; Armani Casa
IT Piaggio; Piaggio & C. | Vespa; Aprilia; Moto Guzzi; Gilera; Derbi | @piaggio.com piaggiogroup.com | !Piaggio Aerospace; Piaggio Aero
IT Poste Italiane | PostePay; Poste Vita; SDA Express; PosteMobile; BancoPosta; LIS Holding; Poste Assicura
IT Yoox; YNAP; YOOX NET-A-PORTER; YOOX NET-A-PORTER GROUP | Net-A-Porter; Mr Porter; The Outnet; LuxExperience; THE NET-A-PORTER GROUP; Mytheresa | @yoox.com ynap.com
ES Inditex; Industria de Diseño Textil; ITX Merken; ITX España; ITX | Zara; Massimo Dutti; Bershka; Pull & Bear; Pull&Bear; Stradivarius; Oysho; Zara Home; Uterqüe; Lefties; Grupo Massimo Dutti; Bershka BSK; Tempe; Fashion Retail S.A.; Zara España; Kiddy's Class; Zara Polska; ITX Trading | @inditex.com
ES Mango; Punto Fa; MANGO; Mango Online | Mango Man; Mango Teen; Violeta by Mango; Punto-Fa; Mango Haus; Mango MNG | @mango.com | !Mango Airlines; Mango Languages; Mango Health
ES Telefónica; Telefonica; Telefónica de España; Telefónica Móviles España; Telefónica Germany; Telefonica UK | Movistar; O2; Vivo; Telxius; Blau; ay yildiz; Fonic
ES Santander; Banco Santander; Santander Bank; Santander Consumer Finance; Santander Consumer Bank; Grupo Santander | Openbank; Santander UK; Getnet; Santander Consumer USA; Ebury; Banesto; Abbey National | @santander.com santander.es bancosantander.es | !Ciudad de Santander; Racing de Santander; Ayuntamiento de Santander
ES BBVA; Banco Bilbao Vizcaya Argentaria | Garanti BBVA; BBVA Bancomer; Banco Continental; Openpay; Garanti Bankası; BBVA Seguros; BBVA Asset Management
ES CaixaBank; Caixabank Payments; La Caixa | imagin; Banco BPI; VidaCaixa; MicroBank; SegurCaixa Adeslas; CaixaBank Tech; Bankia
ES Iberdrola; Iberdrola Clientes; Iberdrola S.A. | ScottishPower; Scottish Power; Avangrid; Neoenergia; Curenergía; Elektro; i-DE
ES Repsol; Repsol Comercial; Repsol S.A. | Waylet; Repsol Electricidad y Gas; Campsa; Petronor; Repsol Comercializadora; Viesgo; Wible
ES Naturgy; Gas Natural; Gas Natural Fenosa; Naturgy Iberia | Nedgia; Gas Natural Servicios; Comercializadora Regulada; UFD; Metrogas; Unión Fenosa
ES El Corte Inglés; El Corte Ingles | Viajes El Corte Inglés; Hipercor; Sfera; Supercor; Bricor; Telecor; Sfera Joven | !El Corte Peluquería; El Corte Barber
ES Mapfre; Mapfre España; Mapfre S.A. | Verti; Verti Aseguradora; Bankinter Vida; Mapfre Sigorta; Direct Line Versicherung; Commerce Insurance; Savia
ES Mercadona | Hacendado; Irmãdona; Irmãdona Supermercados | !Mercado
ES Securitas Direct; Verisure; Securitas Direct España | Verisure Sàrl; Verisure Deutschland; Verisure Italy; Securitas Direct SAS; Verisure Services | @securitasdirect.es verisure.com verisure.es | !Securitas AB; Securitas Deutschland; Securitas Security
ES Puig; Antonio Puig; Puig France; Puig Brands | Carolina Herrera; Rabanne; Paco Rabanne; Jean Paul Gaultier; Nina Ricci; Charlotte Tilbury; Byredo | @puig.com
ES Meliá; Meliá Hotels International; Melia Hotels; Sol Meliá | Sol Hotels; INNSiDE; ME by Meliá; Paradisus; Gran Meliá; TRYP by Wyndham; Prodigios Interactivos
ES Cabify; Maxi Mobility; Maxi Mobility Spain | Easy Taxi; Cabify España; Bluetaxi
ES Desigual; Abasic | Desigual Tiendas
ES Glovo; Glovoapp23; Glovoapp; Foodinho | Foodinho S.r.l.; Restaurant Partner Polska; Kobale; Glovoappro
ES Idealista | Idealista Energy; Casa.it; Rentalia; Avaibook; Casa.it S.r.l.
ES Día; DIA; Distribuidora Internacional de Alimentación; Grupo Dia; Dia Retail España | Clarel; La Plaza de Dia; Schlecker España; Minipreço; Beauty by Dia | @dia.es diacorporate.com
ES Grifols; Instituto Grifols | Biotest; Talecris; Biomat USA; Progenika; Araclon
PT Jerónimo Martins; Jeronimo Martins; Jeronimo Martins Polska; Jeronimo Martins Drogerie | Biedronka; Pingo Doce; Hebe; Ara; Recheio; Hussel; Jerónimo Martins Colombia | !Przedszkole Biedronka; Żłobek Biedronka
PL Biedronka; Jeronimo Martins Polska | Biek; Dada | @biedronka.pl | !Przedszkole Biedronka; Żłobek Biedronka
PT Sonae; Sonae MC; MC Sonae; Modelo Continente; Modelo Continente Hipermercados; MCH | Continente; Worten; Zippy; MO Fashion; NOS; Wells; Druni
PT Continente; Modelo Continente; Modelo Continente Hipermercados; Sonae MC; MCH | Cartão Continente; Bagga; Meu Super | @continente.pt | !Continente Viagens; El Continente
PT EDP; Energias de Portugal; EDP Comercial; EDP Renováveis; EDP Renewables; EDP Energias do Brasil | SU Eletricidade; E-Redes; EDP España; Sunseap; Hidrocantábrico; Kronos Solar; EDP Espírito Santo
PT Millennium bcp; Banco Comercial Português; BCP | ActivoBank; Bank Millennium; Millennium bim; Millennium Leasing; Millennium Fundacja
SE H&M; H & M Hennes & Mauritz; Hennes & Mauritz; H&M Hennes & Mauritz; H and M | COS; & Other Stories; Arket; Weekday; Monki; H&M Home; FaBric Scandinavien | @hm.com hmgroup.com | !H&M Auto; H&M Roofing; H.M. Customs
SE IKEA; Ingka; Ingka Group; Inter IKEA; Inter IKEA Systems; IKEA Supply | Ingka Centres; Livat; TaskRabbit; Ikano Bank; Made4net; IKANO; Ingka Services | @ikea.com ingka.com
SE Ericsson; Telefonaktiebolaget LM Ericsson; Telefonaktiebolaget L M Ericsson; LM Ericsson | Cradlepoint; Vonage; Ericsson Enterprise Wireless; Red Bee Media; Ericsson-LG; iconectiv; Vonage Business | !Sony Ericsson; Ericsson Bygg
SE Volvo Cars; Volvo Car; Volvo Personvagnar; Volvo Car Corporation | Care by Volvo; Volvo On Demand; Zenseact; Volvo Car Retail; M Sverige; Volvo Car Mobility; HaleyTek | @volvocars.com | !Volvo Trucks; Volvo Construction; Volvo Penta
SE Volvo; Volvo Group; AB Volvo; Volvo Trucks; Volvo Lastvagnar; Volvo Construction Equipment | Mack Trucks; Renault Trucks; Volvo Penta; Volvo Buses; Volvo Financial Services; Nova Bus; Prevost | @volvogroup.com volvo.com | !Volvo Car; Volvo Personvagnar
SE Electrolux; AB Electrolux; Electrolux Group; Electrolux Hausgeräte; Electrolux Appliances; Electrolux Home Products | AEG; Frigidaire; Zanussi; Juno; Rex; Faure; Arthur Martin | !Electrolux Professional; Electrolux Servis
SE Swedbank; Swedbank AB; FöreningsSparbanken | Swedbank Robur; Hansabank; PayEx; Entercard; Paywerk; Stabelo; Bankernas
SE Telia; Telia Company; TeliaSonera; Telia Sverige; Telia Finland; Telia Norge | Halebop; Telia Eesti; Telia Lietuva; Phonero; OneCall; MyCall; Fello
SE ICA; ICA Sverige; ICA Gruppen; ICA Fastigheter | Apotek Hjärtat; ICA Banken; Rimi; Rimi Baltic; ICA Försäkring; Rimi Latvia; Rimi Lietuva | @ica.se icagruppen.se | !ICA Supermarket; ICA Kvantum; ICA Nära
SE Spotify; Spotify AB; Spotify USA | Megaphone; Anchor FM; Findaway; Parcast; Gimlet; WhoSampled; Heardle
SE Klarna; Klarna Bank; Klarna AB | Hero; Stocard; Sofort; Sofort GmbH; BillPay; Hero Towers; PriceRunner
DK LEGO; LEGO System; LEGO A/S; LEGO Brand Retail; LEGO Juris; LEGO Handelsgesellschaft | BrickLink; LEGO House; Duplo; LEGO Education; Light Brick Studio; Bionicle | @lego.com | !Legoland; Legolas; Lego Movie Fan
GB Merlin Entertainments; Merlin Attractions Operations; Merlin Entertainments Group | Legoland; LEGOLAND Deutschland; Madame Tussauds; Sea Life; Alton Towers; Heide Park; Gardaland
DK Carlsberg; Carlsberg Danmark; Carlsberg Breweries; Carlsberg Deutschland; Carlsberg UK | Tuborg; Kronenbourg; Holsten; Brasseries Kronenbourg; 1664; Somersby; Baltika
DK Maersk; A.P. Møller - Mærsk; A.P. Moller - Maersk; AP Møller Mærsk; Maersk Line; Maersk A/S | Sealand; Hamburg Süd; APM Terminals; Damco; LF Logistics; Twill; Svitzer | !Maersk Drilling; Maersk Oil; Maersk Møbler
DK Novo Nordisk; Novo Nordisk Pharma; Novo Nordisk Healthcare; Novo Nordisk Farma | Ozempic; Wegovy; Forma Therapeutics; Dicerna; Emisphere; Akero; NovoPen
DK Ørsted; Orsted; DONG Energy; Ørsted Wind Power | Lincoln Clean Energy; Ostwind; Radius Elnet
NO DNB; DNB Bank; DNB ASA; Den norske Bank; DNB Livsforsikring | Sbanken; DNB Eiendom; DNB Asset Management; Postbanken; Carnegie; Vital; DNB Carnegie | @dnb.no | !De Nederlandsche Bank; Dun & Bradstreet; DNB Building
NO Telenor; Telenor Norge; Telenor ASA; Telenor Sverige; Telenor A/S | Talkmore; dtac; Grameenphone; DNA Oyj; DNA; CBB; Vimla
NO Schibsted; Schibsted Media; Schibsted ASA; Vend Marketplaces; Schibsted News Media | FINN.no; Blocket; Aftonbladet; VG; Aftenposten; Svenska Dagbladet; Tori
NO Finn.no; FINN.no; Finn no | Nettbil; FINN Eiendom | @finn.no | !Finn Partners; Finn Comfort; Finn Air
FI Nokia; Nokia Corporation; Nokia Solutions and Networks; Nokia Oyj | Alcatel-Lucent; Bell Labs; Infinera; Nokia Siemens Networks; Nokia Bell; Rivet Networks; Alcatel Submarine | !Nokian Tyres; Nokian Renkaat; Nokian Panimo
FI Kone; KONE Corporation; KONE Oyj; KONE GmbH | KONE Industrial; Crown Lifts; Marryat & Scott; Motala Hissar; Hissi; KONE Elevators | @kone.com | !Kone Motors; Konecranes; Kone Sushi
FI Kesko; Kesko Oyj; Keskoesko | K-Rauta; Onninen; K-Citymarket; Byggmakker; K-Bygg; K-Auto; Intersport Finland
FI S Group; S-ryhmä; SOK; Suomen Osuuskauppojen Keskuskunta; S-kaupat | Prisma; Sokos; S-market; Alepa; ABC; Sokos Hotels; HOK-Elanto | @s-kaupat.fi s-kanava.fi sok.fi
FI Nordea; Nordea Bank; Nordea Bank Abp | Nordea Finance; Nordea Funds; Nordea Liv; Gjensidige Bank; Merita; Nordea Kredit; Nordea Rahoitus | !Nordea Roofing
FI Fiskars; Fiskars Group; Fiskars Finland | Iittala; Royal Copenhagen; Wedgwood; Waterford; Gerber Gear; Rörstrand; Georg Jensen
PL LPP; LPP S.A.; LPP Retail; LPP Deutschland | Reserved; Sinsay; Mohito; House; Cropp; LPP Reserved; Silky Coders | !LPP Law; LPP Coaching
PL CCC; CCC S.A.; CCC.eu; Modivo; Modivo S.A. | eobuwie; HalfPrice; DeeZee; eobuwie.pl; Worldbox; epantofi; eobuv | @ccc.eu
PL Allegro; Allegro.eu; Allegro sp; Grupa Allegro; Allegro.pl | Ceneo; eBilet; Mall Group; Allegro Pay; Mimovrste; WE|DO; Allegro Retail | @allegro.pl allegro.eu | !Allegro MicroSystems; Allegro Microsystems; Allegro Development
PL Orlen; PKN Orlen; Orlen S.A.; Polski Koncern Naftowy Orlen; ORLEN Deutschland | star Tankstellen; Energa; PGNiG; Lotos; Unipetrol; Benzina; Ruch
PL PKO; PKO Bank Polski; PKO BP; Powszechna Kasa Oszczędności Bank Polski; Powszechna Kasa Oszczędności | Inteligo; Kredobank; PKO Leasing; PKO Ubezpieczenia; PKO Faktoring; PKO TFI; PKO Bank Hipoteczny
PL PZU; Powszechny Zakład Ubezpieczeń; PZU S.A.; PZU Życie | Link4; Bank Pekao; Alior Bank; LINK4 Towarzystwo; PZU Zdrowie; AAS Balta; Lietuvos Draudimas | !Agent PZU; Multiagencja; Ubezpieczenia PZU
PL InPost; InPost sp; InPost S.A.; Integer.pl; InPost Paczkomaty | Mondial Relay; Menzies Distribution; Sending; Yodel; InPost UK; Paczkomaty; Grupa Integer
PL Żabka; Żabka Polska; Zabka Polska; Żabka Group | Maczfit; Froo; Dietly; Żabka Jush; Froo Romania; Maczfit Foods; Żabka Nano | @zabka.pl | !Żabka Przedszkole; Żabka Sklep Franczyzobiorca; Przedszkole Żabka
PL Media Expert; Terg; TERG S.A. | electro.pl; avans.pl; Avans; Mediaexpert | @mediaexpert.pl | !Media Expert Consulting; Expert Media
PL Euro-net; RTV Euro AGD; EURO-NET; Euro-net sp | OleOle! | @euro.com.pl
PL CD Projekt; CD PROJEKT RED | GOG; The Witcher; Cyberpunk; The Molasses Flood; GOG sp; Spokko; GOG Poland
PL Polsat; Cyfrowy Polsat; Polkomtel; Grupa Polsat Plus; Telewizja Polsat | Plus; Netia; Interia; Ipla; Polkomtel sp; Plush; Polsat Box
PL Wirtualna Polska; Wirtualna Polska Media; WP Media; Wirtualna Polska Holding | o2.pl; Domodi; Superauto.pl; Wakacje.pl; Szallas; Homebook; Extradom
CZ Alza; Alza.cz; Alza.cz a.s. | AlzaDrive; Alza.sk; Alza.hu; AlzaPower; Alza Magyarország | @alza.cz
CZ ČEZ; CEZ; ČEZ Prodej; ČEZ Distribuce; ČEZ a.s.; CEZ Group | Elevion; ČEZ ESCO; Tesla Energy CZ; Škoda JS; GasNet; TelNet; ČEZ ICT
CZ Seznam; Seznam.cz | Sklik; Mapy.cz; Zboží.cz; Sreality; Borgis; Stream.cz; Novinky | @seznam.cz | !Seznam Rande; Seznamka
CZ Rohlík; Rohlik Group; Velká Pecka; VELKÁ PECKA; Rohlik.cz | Knuspr; Kifli; Gurkerl; Sezamo; Bringmeister; Rohlik GmbH; Knuspr.de
CZ Heureka; Heureka Group; Heureka Shopping | Ceneje; Jeftinije; Arukereso; Pazaruvaj; Compari; Online Comparison Shopping; Ceneje.si | @heureka.cz heureka.sk | !Heureka Software; Klub Heureka; Heureka Theater
CZ Packeta; Zásilkovna; Packeta Group; Packeta s.r.o. | Zasilkovna; Packeta Slovakia; Sendiroo; Packeta Hungary; Packeta Poland; Packeta Romania | @packeta.com zasilkovna.cz
CZ Notino; Notino s.r.o.; Internet Shop s.r.o. | parfums.cz; iParfumerie; Aoro; Notino Romania | @notino.cz notino.de
CZ Škoda Auto; ŠKODA AUTO; SKODA AUTO; Škoda Auto Deutschland | Škoda Plus; ŠKODA AUTO DigiLab; Škoda X; Skoda | @skoda-auto.cz skoda-auto.com skoda-auto.de | !Škoda Transportation; ŠKODA JS; Škoda Praha
HU OTP Bank; OTP; OTP Bank Nyrt; OTP Bank Plc | Merkantil Bank; OTP banka; SKB banka; DSK Bank; Банка ДСК; OTP Ingatlanpont; Nova KBM | !OTP Law; Ortofoto; OTP Logistics
HU MOL; MOL Nyrt; MOL Magyar Olaj- és Gázipari; MOL Group; MOL Hungary; MOL Magyarország | INA; Slovnaft; Tifon; MOL Romania; MOL Bubi; MOL Limo; Slovnaft Česká | !Mitsui O.S.K.; MOL Chemical; MOL Logistics
HU Wizz Air; Wizz Air Hungary; Wizz Air Hungary Kft; WIZZ | Wizz Air Abu Dhabi; Wizz Tours; Wizz Air Malta | @wizzair.com
RO eMAG; Dante International; Dante International S.A. | Fashion Days; Sameday; Freshful; Extreme Digital; Depanero; Dante International Kft; eMAG Hungary | @emag.ro emag.hu emag.bg | !EMAG GmbH; Emag Machine; EMAG Holding
RO Digi; Digi Romania; RCS & RDS; RCS&RDS; Digi Communications; RCS and RDS | Digi Spain; DIGI Portugal; Digi Belgium; Digi24; Nowo; Invitel; Digi Sport | @digi.ro digi.hu digimobil.es digi.net | !Digi International; Digi Telecommunications; Digi-Key
RO Banca Transilvania; Banca Transilvania S.A. | BT Leasing; Salt Bank; BT Direct; Victoriabank; BT Mic; BT Capital Partners; Idea Bank Romania | @bancatransilvania.ro btrl.ro
RO Dedeman; Dedeman SRL | Pif'n Tail; AutoDedeman; CEMACON
HR Infobip | Peerless; OpenMarket; Anam; Shift Conference; Infobip Ltd
HR Podravka; Podravka d.d. | Vegeta; Belupo; Žito; Lino; Dolcela; Mirna; Fant
HR Fortenova; Agrokor; Fortenova grupa | Konzum; Jamnica; Ledo; Zvijezda; Mercator; Idea; Dijamant
SI Krka; Krka tovarna zdravil; KRKA d.d.; Krka-Farma; KRKA Polska; TAD Pharma | Terme Krka; TAD; Septolete; Nalgesin; Fitoval; Herbion; Terix | @krka.si krka.biz | !Apartmani Krka; NP Krka; Nacionalni park Krka
SI Gorenje; Hisense Gorenje; Gorenje gospodinjski aparati; Hisense Gorenje Europe; Hisense Europe | Asko; Mora; ATAG; Etna; Körting; UPO; Pelgrim | @gorenje.com hisense-europe.com | !Servis Gorenje; Gorenje Group Kuhinje
GR OTE; Cosmote; ΟΤΕ; Cosmote Telekom; Hellenic Telecommunications; Οργανισμός Τηλεπικοινωνιών | Germanos; Cosmote TV; What's Up; ΓΕΡΜΑΝΟΣ; OTEGlobe; Telekom Romania Mobile; COSMOTE Payments
GR PPC; Public Power Corporation; ΔΕΗ; DEI; Δημόσια Επιχείρηση Ηλεκτρισμού; PPC Renewables | Kotsovolos; Κωτσόβολος; Enel Romania; PPC Energie; HEDNO; Dixons South-East Europe; PPC blue | @dei.gr ppcgroup.com
GR Public; Public-MediaMarkt; Retail World; Public Retail World | MediaMarkt Greece; Public Cyprus; Multirama; Media Saturn Electronics Hellas; Public MediaMarkt | @public.gr
GR Eurobank; Eurobank S.A.; Eurobank Ergasias; Τράπεζα Eurobank | Hellenic Bank; Postbank Bulgaria; Eurolife; Eurobank Bulgaria; Eurobank Cyprus; TT Hellenic Postbank; BNP Paribas Bulgaria
GR Alpha Bank; Alpha Services and Holdings; Άλφα Τράπεζα; Alpha Bank S.A.; Alpha Τράπεζα | Alpha Bank Cyprus; Alpha Leasing; Alpha Finance; AstroBank; Alpha Asset Management; Flexfin; Axia Ventures | @alpha.gr
TR Koç Holding; Koç; Koç Topluluğu; Koc Holding | Arçelik; Beko; Ford Otosan; Tofaş; Tüpraş; Yapı Kredi; Otokoç
TR Arçelik; Arcelik; Arçelik A.Ş.; Beko; Arçelik Pazarlama; Beko Europe | Grundig; Blomberg; Altus; Defy; Dawlance; Arctic; Elektra Bregenz | @arcelik.com.tr beko.com | !Beko Technologies; Beko Servisi; BEKO BBL
TR Yapı Kredi; Yapı ve Kredi Bankası; Yapı Kredi Bankası; Yapi ve Kredi Bankasi | World Card; Yapı Kredi Leasing; Yapı Kredi Yatırım; Yapı Kredi Faktoring; Yapı Kredi Portföy; World Pay; Yapı Kredi Nederland | @yapikredi.com.tr
TR Trendyol; DSM Grup; DSM Grup Danışmanlık; Trendyol Group | Dolap; Trendyol Express; Trendyol Go; Trendyolmilla; DSM Group; Trendyol Germany; Dolap.com | @trendyol.com
TR Hepsiburada; D-Market; D-MARKET Elektronik Hizmetler; D-Market Elektronik | HepsiJET; HepsiPay; HepsiGlobal; D Ödeme; Hepsi Finans; D Fast; Hepsiburada Global | @hepsiburada.com
TR Turkish Airlines; Türk Hava Yolları; THY; Turk Hava Yollari | AnadoluJet; AJet; Turkish Cargo; SunExpress; THY Teknik; Miles&Smiles; Turkish Technic | @turkishairlines.com thy.com
TR Turkcell; Turkcell İletişim Hizmetleri; Turkcell Iletisim | Superonline; Paycell; BiP; lifecell; TV+; Superonline İletişim; fizy
TR Türk Telekom; Türk Telekomünikasyon; Turk Telekom; TT Mobil; TTNET; Turk Telekomunikasyon | Avea; TT Mobil İletişim; Pilot; Tivibu; Sebit; Innova; Selfy
TR Pegasus; Pegasus Airlines; Pegasus Hava Taşımacılığı; Pegasus Hava Yolları | BolBol; Pegasus Turistik; flypgs | @flypgs.com | !Pegasus Solar; Pegasus Books; Pegasus Tech
RU Яндекс; Yandex; ООО Яндекс; Yandex N.V.; Яндекс.Такси | Кинопоиск; Яндекс Маркет; Auto.ru; Yango; Едадил; Авто.ру; Яндекс Еда
RU Сбербанк; Сбер; Sberbank; Sber; ПАО Сбербанк; Sberbank of Russia | СберМаркет; Домклик; Okko; Самокат; СберМегаМаркет; Rambler; Sberbank Europe
RU МТС; MTS; Mobile TeleSystems; МТС ПАО; Мобильные ТелеСистемы; Мобильные Телесистемы | МТС Банк; KION; МГТС; MTS Bank; МТС-Банк; МТС Медиа; Ситимобил | @mts.ru | !MTS Systems; MTS Logistics; MTS Medication
RU Магнит; Magnit; ПАО Магнит; Тандер; АО Тандер | Дикси; Магнит Косметик; Магнит Маркет; KazanExpress; Азбука вкуса; Дикси Юг; Tander | @magnit.ru magnit.com | !Магнит Мебель; Magnit Corporation; Магнит-Сервис
RU Авито; Avito; КЕХ еКоммерц; KEH eCommerce; КЕХ | Domofond; Авито Авто; Авито Работа; Kismet; Autoteka; Автотека; Avito Holding | @avito.ru
RU Ozon; Озон; Интернет Решения; Internet Solutions; Ozon Holdings | OZON Travel; Ozon Банк; Озон Банк; OZON fresh; Ozon Invest; Ozon Global; Ozon Technologies | @ozon.ru ozon.com
RU Wildberries; Вайлдберриз; RVB; РВБ | WB Taxi; Wildberries Bank; Вайлдберриз Банк; WB Travel; RWB; WB Банк; Russ Outdoor
RU Тинькофф; Тинькофф Банк; Т-Банк; T-Bank; Tinkoff; Tinkoff Bank | Тинькофф Страхование; Тинькофф Мобайл; Росбанк; Tinkoff Mobile; Т-Страхование; CloudPayments; Jump.Finance | @tinkoff.ru tbank.ru
RU X5; X5 Group; X5 Retail Group; ИКС 5; Корпоративный центр ИКС 5 | Пятёрочка; Перекрёсток; Чижик; Карусель; Агроторг; Food.ru; Пятерочка
UA ПриватБанк; PrivatBank; Privatbank; КБ ПриватБанк | Приват24; LiqPay; Privat24 | @privatbank.ua
UA Київстар; Kyivstar; Киевстар; Kyivstar JSC | Helsi; Tabletki.ua; Uklon; Київстар ТБ; Lan Trace; Kyivstar.Tech; Хелсі
UA Monobank; Універсал Банк; Universal Bank; monobank; Універсал банк | Fintech Band; Shake to Pay; monomarket | @monobank.ua | !Mono Music; Mono Dental
UA Rozetka; Розетка; Розетка УА; Rozetka.ua; РОЗЕТКА. УА | Prom.ua; EVO; Bigl.ua; Kidstaff; Shafa; RozetkaPay; ROZETKA Polska | @rozetka.com.ua rozetka.ua
UA Comfy; Комфі; Комфі Трейд; COMFY TRADE | ТОВ Комфі Трейд | @comfy.ua | !Comfy Home; ComfyTech; Comfy Inn
JP Toyota; Toyota Motor; Toyota Motor Corporation; Toyota Motor Sales; Toyota Motor Europe; Toyota Deutschland | Lexus; Daihatsu; Kinto; Hino; Toyota Financial Services; Toyota Kreditbank; Scion | @toyota.com toyota.de toyota.co.jp toyota-europe.com | !Toyota Tsusho; Toyota Boshoku; Toyota Industries; Toyota Material; Toyota Center; Toyota Arena; Toyota Kredi; Toyota Textile
JP Sony; Sony Group; Sony Corporation; ソニー; Sony Europe; Sony Electronics | PlayStation; Sony Interactive Entertainment; Sony Music; Sony Pictures; Crunchyroll; Columbia Pictures; Bungie | !Sony Okonkwo; Sonny; Sony Repair
JP Panasonic; Panasonic Holdings; パナソニック; Panasonic Marketing Europe; Panasonic Corporation; Panasonic Deutschland | Technics; Lumix; Sanyo; Blue Yonder; Hussmann; National; Eluga | @panasonic.com
JP Honda; Honda Motor; Honda Motor Company; American Honda Motor; ホンダ; 本田技研工業 | Acura; Honda Bank; American Honda Finance; Honda Power Equipment; HondaJet; Honda Canada; Honda Aircraft | @honda.com honda.co.jp honda.de | !Honda Center; Honda Tsusho; Honda Dealer
JP Nissan; Nissan Motor; Nissan North America; 日産自動車; 日産; Nissan International | Infiniti; Datsun; Nissan Financial; Nissan Motor Acceptance; NISMO; Nissan Iberia; Nissan Italia | @nissan.com nissanusa.com nissan.co.jp nissan-global.com nissan.de | !Nissan Chemical; Nissan Shatai; Nissan Reaser
JP Fast Retailing; ファーストリテイリング; Fast Retailing Co; FAST RETAILING | UNIQLO; ユニクロ; GU; Theory; Comptoir des Cotonniers; Princesse tam.tam; J Brand
JP Nintendo; 任天堂; Nintendo of America; Nintendo of Europe; Nintendo Co | Monolith Soft; Retro Studios; Next Level Games; Nintendo Ibérica; Nintendo Switch; Shiver Entertainment; iQue | @nintendo.com nintendo.co.jp nintendo.de | !Nintendo Switch Bundles; Nintendo Repair; Nintendo Life
JP Rakuten; 楽天; Rakuten Group; 楽天グループ; Rakuten Europe; 楽天グループ株式会社 | Rakuten Viki; Kobo; Viber; Rakuten TV; Rakuten Mobile; 楽天カード; 楽天銀行 | @rakuten.co.jp rakuten.com
JP SoftBank; ソフトバンク; SoftBank Group; SoftBank Corp; ソフトバンクグループ | Y!mobile; LINEMO; Arm; PayPay; LY Corporation; Ampere Computing; SB Technology
JP Seven & i; Seven & i Holdings; セブン&アイ; セブン&アイ・ホールディングス; 7-Eleven | 7-Eleven Inc; Ito-Yokado; Speedway; Stripes; Seven Bank; セブン-イレブン; イトーヨーカ堂 | @7andi.com 7-eleven.com sej.co.jp
JP Shiseido; 資生堂; Shiseido Company; 資生堂ジャパン; Shiseido Americas; Shiseido Germany | NARS; Clé de Peau; Drunk Elephant; Elixir; Anessa; Issey Miyake Parfums; narciso rodriguez
JP Canon; キヤノン; Canon Europe; Canon USA; Canon Europa; Canon Deutschland | Océ; Axis Communications; Milestone Systems; Canon Medical; IRIS; NT-ware; Irista | @canon.com canon.de global.canon canon-europe.com | !Canon City; Canon McMillan; Canon Hygiene
JP Mitsubishi Electric; 三菱電機; Mitsubishi Electric Europe; Mitsubishi Electric Corporation | Climaveneta; RC Group; AQS; Iconics; Nozomi Networks; MEHITS; Mitsubishi Electric Hydronics | !Mitsubishi Motors; Mitsubishi Heavy; Mitsubishi UFJ
JP Hitachi; 日立; 日立製作所; Hitachi Ltd; Hitachi Europe; 株式会社日立製作所 | Hitachi Energy; Hitachi Rail; GlobalLogic; Hitachi Vantara; Hitachi Digital; Ansaldo STS; JR Automation | !Hitachi Construction; Hitachi Zosen; Hitachi Metals
JP NTT; NTT Docomo; NTTドコモ; 日本電信電話; NTT DATA; NTT Docomo Inc | Dimension Data; everis; itelligence; NTTデータ; NTT東日本; NTT西日本; ahamo | @docomo.ne.jp ntt.com ntt.co.jp nttdata.com | !NTT Training; NTT New Textile; NTT Natural
KR Samsung; Samsung Electronics; 삼성전자; 삼성; Samsung Electronics America; Samsung Electrónica | Harman; Harman International; JBL; AKG; Harman Kardon; SmartThings; Galaxy | @samsung.com sec.co.kr | !Samsung Heavy; Samsung C&T; Samsung Life; Samsung Fire; Samsung Biologics; Samsung SDI; Samsung Engineering; Samsung Securities
KR LG Electronics; LG; LG전자; 엘지전자; LG Electronics Inc; LG Electronics Deutschland | ZKW; Athom; SIGNATURE; LG Ads; Alphonso; LG Electronics USA; Bear Robotics | @lg.com | !LG Chem; LG Energy; LG Display
KR Hyundai; Hyundai Motor; Hyundai Motor Company; 현대자동차; 현대차; Hyundai Motor America | Genesis; Genesis Motor; Hyundai Capital; Hyundai Mobility; IONIQ; Hyundai Card; 현대캐피탈 | @hyundai.com hyundai.de hyundaiusa.com | !Hyundai Department; Hyundai Heavy; Hyundai Merchant
KR SK Telecom; SKT; SK텔레콤; 에스케이텔레콤 | T map; 11번가; SK Broadband; SK브로드밴드; 11Street; Wavve; 티맵모빌리티
KR SK hynix; SK하이닉스; 에스케이하이닉스; Hynix | Solidigm; SK hynix system ic; SK hynix America; Hynix Semiconductor | @skhynix.com
KR NAVER; 네이버; Naver Corporation; NHN | LINE Webtoon; Webtoon; Wattpad; Poshmark; SNOW; 네이버파이낸셜; Naver Z
KR Kakao; 카카오; Kakao Corp; 주식회사 카카오 | Daum; Kakao Games; Kakao Pay; Kakao Bank; Kakao Mobility; Kakao Entertainment; Tapas
KR Coupang; 쿠팡; Coupang Corp; 쿠팡 주식회사 | Farfetch; Coupang Eats; Coupang Play; 쿠팡이츠; 쿠팡이츠서비스; 쿠팡페이; Coupang Fulfillment
KR Baemin; 배달의민족; 우아한형제들; Woowa Brothers; 주식회사 우아한형제들 | 우아한청년들; B Mart; Baedal Minjok; 배민 | @baemin.com woowahan.com
KR Toss; 토스; 비바리퍼블리카; Viva Republica; Viva Republica Inc | 토스뱅크; 토스증권; Toss Bank; 토스페이먼츠; Toss Securities; VCNC; 타다 | @toss.im
CN Alibaba; 阿里巴巴; Alibaba Group; Alibaba.com; Taobao; Alibaba.com Singapore | AliExpress; Lazada; Tmall; 淘宝; 天猫; Cainiao; Daraz
CN Tencent; 腾讯; 深圳市腾讯计算机系统; Tencent Technology; Tencent Holdings; 騰訊 | WeChat; Riot Games; Supercell; Proxima Beta; Level Infinite; Fatshark; PUBG Mobile | @tencent.com qq.com
CN ByteDance; 字节跳动; Bytedance; ByteDance Pte; 抖音; 北京字节跳动科技 | TikTok; CapCut; Douyin; Lemon8; Lark; Pico; Toutiao
CN TikTok; TikTok Technology; TikTok Pte; TikTok Inc; TikTok Information Technologies; Bytedance | TikTok Shop; TikTok USDS; TikTok Studio; TikTok Ads; TikTok Ireland | @tiktok.com
CN Xiaomi; 小米; 小米科技; Xiaomi Technology; Xiaomi Inc; Beijing Xiaomi | POCO; Redmi; Mi Store; Xiaomi H.K.; Xiaomi Singapore; Xiaomi Technology India; 小米通讯 | @mi.com xiaomi.com | !小米粥
CN Huawei; 华为; Huawei Technologies; Huawei Device; 華為; 华为技术 | Petal Search; HiSilicon; Huawei Services; Aspiegel; Huawei Cloud; FreeBuds; Huawei Consumer
CN Lenovo; 联想; Lenovo Group; Lenovo (Deutschland); Lenovo (United States); 聯想 | Motorola Mobility; Medion; ThinkPad; Fujitsu Client; NEC Personal; Medion AG; Legion
CN BYD; 比亚迪; BYD Auto; BYD Europe; BYD Company; 比亞迪 | Denza; Yangwang; FinDreams; Fangchengbao; BYD Auto Japan; BYD Motors; BYD Coach | !BYD Financial; Byd Sport; BYD LofB
CN Geely; 吉利; Zhejiang Geely; 浙江吉利; Geely Auto; Geely Holding | Polestar; Lynk & Co; Zeekr; LEVC; Lotus; Meizu; Polestar Performance
CN Shein; SHEIN; Roadget; Roadget Business; Zoetop; Zoetop Business | ROMWE; Emery Rose; Missguided; MOTF; Luvlette; Cuccoo; Glow Mode | @shein.com
CN PDD; Pinduoduo; 拼多多; PDD Holdings; Whaleco; WhaleCo | TEMU; Whaleco Technology; Whaleco Inc; Whaleco UK; Elementary Innovation Pte; 上海寻梦 | @temu.com pddholdings.com pinduoduo.com
CN Baidu; 百度; Baidu Online; Beijing Baidu; Baidu (Hong Kong); 百度在线 | iQIYI; 爱奇艺; Apollo Go; Popin; Simeji; Ernie; Baidu Japan
CN Trip.com; Ctrip; 携程; Trip.com Group; Trip.com Travel Singapore; Ctrip.com | Skyscanner; Qunar; Trip.com Travel; Travix; 去哪儿; Skyscanner Limited; Cheaptickets NL | @trip.com ctrip.com
SG Sea; Sea Limited; Shopee; Garena; Shopee Singapore; Garena Online | SeaMoney; Free Fire; Shopee Brasil; SPX Express; Monee; MariBank; ShopeePay | @sea.com shopee.sg shopee.com.br shopee.co.id garena.com shopee.com
SG Grab; Grab Holdings; Grabtaxi; GrabTaxi Holdings; Grab Rentals; GrabCar | GrabPay; Jaya Grocer; GXS; OVO; MyTaxi.PH; Trans-cab; Chope | @grab.com | !Grab & Go; Grab and Go; Grab a Gun
ID GoTo; Gojek; GoTo Gojek Tokopedia; Aplikasi Karya Anak Bangsa; PT GoTo | GoPay; Bank Jago; GoFood; Midtrans; Loket; GOTO Financial; GoPlay | @gojek.com gotocompany.com | !GoTo Technologies; GoTo Meeting; Goto Fashion
IN Tata Motors; Jaguar Land Rover; Tata Motors Passenger Vehicles; Tata Motors Limited | Jaguar; Land Rover; Tata Daewoo; Range Rover; Jaguar Land Rover Limited; TMPV; Jaguar Cars | @tatamotors.com | !Tata Steel; Tata Power; Tata Consultancy
GB Jaguar Land Rover; Jaguar Land Rover Limited; JLR | Jaguar; Land Rover; Range Rover; Jaguar Cars; Jaguar Land Rover North America; Land Rover UK; Bowler | @jaguarlandrover.com jlr.com jaguar.com landrover.com | !Jaguar Health; Jacksonville Jaguars; Jaguar Software
IN Reliance Industries; Reliance; RIL; Reliance Industries Limited | Jio; Reliance Jio; Reliance Retail; Ajio; JioMart; Hamleys; Netmeds | @ril.com | !Reliance Capital; Reliance General; Reliance Home
IN Zomato; Eternal; Eternal Limited; Zomato Limited; Zomato Media | Blinkit; Hyperpure; District; Blink Commerce; Urbanspoon; Grofers; Feeding India | @zomato.com eternal.com
IN Flipkart; Flipkart Internet; Flipkart Private; Flipkart India | Myntra; Cleartrip; Ekart; Shopsy; Jabong; eBay India; Myntra Designs | @flipkart.com
IN Myntra; Myntra Designs; Myntra Jabong | Jabong; Flipkart; FWD; Roadster; Flipkart Internet; Vector E-Commerce; Scaling Brands | @myntra.com
MX América Móvil; America Movil; Telcel; Radiomóvil Dipsa; Claro; Telmex | Claro Brasil; Embratel; Comcel; Teléfonos de México; Net Serviços; Radiomovil; Straight | !Claro Enterprises; Claro Energy; Claro Aircon
MX Femsa; Fomento Económico Mexicano; FEMSA Comercio; Cadena Comercial OXXO | OXXO; Spin by OXXO; Coca-Cola FEMSA; Valora; OXXO Gas; Farmacias Yza; Cruz Verde | @femsa.com
MX Grupo Bimbo; Bimbo; Bimbo, S.A. de C.V.; Bimbo Bakeries USA; Bimbo Iberia; Grupo Bimbo S.A.B. | Marinela; Barcel; Sara Lee Bread; Thomas' English Muffins; Canada Bread; Takis; Arnold Bread | @bimbo.com grupobimbo.com bimbobakeriesusa.com | !Bimbo y Lola; Bimba y Lola; Bimbo Store
MX Liverpool; El Puerto de Liverpool; Distribuidora Liverpool; Servicios Liverpool | Suburbia; Fábricas de Francia; Galerías; Liverpool PC; Banana Republic México; Arco Norte; Suburbia S. de R.L. | @liverpool.com.mx | !Liverpool Football; Liverpool FC; Liverpool City
AR MercadoLibre; Mercado Libre; MercadoLibre S.R.L.; Mercado Livre; MercadoLivre; Ebazar.com.br | Mercado Pago; MercadoPago; Mercado Envios; DeRemate; Mercado Crédito; Portal Inmobiliario; TuCarro | @mercadolibre.com mercadolibre.com.ar mercadolivre.com.br mercadolibre.com.mx
AR Despegar; Despegar.com; Decolar; Decolar.com; Despegar.com.ar | Best Day; Viajanet; Koin; Falabella Viajes; Viajes Falabella; BDExperience; Stays.net | @despegar.com decolar.com | !Despegar Coaching; Decolar Formação
CL Falabella; Falabella Retail; Falabella S.A.; Banco Falabella; SACI Falabella; Falabella.com | Sodimac; Linio; Tottus; Mall Plaza; Homecenter; Plaza Oeste; Falabella de Colombia | @falabella.com falabella.cl | !Roberto Falabella; Falabella Horses; Stella McCartney
CL Cencosud; Cencosud Retail; Cencosud S.A.; Cencosud Supermercados | Paris; Easy; Jumbo; Santa Isabel; Disco; Vea; Wong | @cencosud.com cencosud.cl
BR Itaú; Itau; Itaú Unibanco; Banco Itaú; Itau Unibanco; Itaú Unibanco Holding | Rede; iti; Credicard; Unibanco; Itaucard; Redecard; Itaú Corretora | @itau.com.br | !Itaúna; Itau Power Shopping; Itau de Minas
BR Bradesco; Banco Bradesco; Bradesco Seguros; Bradesco S.A. | next Tecnologia; Digio; Ágora; Bradesco Saúde; Ágora Corretora; Banco Digio; Bradescard | !Corretora Bradesco; Vagas Bradesco; Corretor Bradesco
BR Natura; Natura Cosméticos; Natura &Co; Natura Cosmeticos | Avon Brasil; &Co Pay; Avon Cosméticos Ltda; Avon Industrial; Emana Pay; Avon International; Natura Comercial | @natura.com.br naturaeco.com | !Natura Siberica; Natura Viva; Pura Natura
BR O Boticário; Boticário; Grupo Boticário; Botica Comercial Farmacêutica; O Boticário Franchising; Boticario | Eudora; Quem Disse Berenice; quem disse, berenice?; BeautyBox; Vult; O.U.I; Interbelle | @boticario.com.br grupoboticario.com.br | !Farmácia Boticário; Farmacia El Boticario; Drogaria Boticário
BR Americanas; Lojas Americanas; Americanas S.A.; B2W; B2W Digital; B2W Companhia Digital | Submarino; Shoptime; Hortifruti Natural da Terra; Ame Digital; Imaginarium; Puket; Sou Barato | @americanas.com.br | !Lojas Americanas do Sul; Las Americanas; Hotel Americanas
BR Magazine Luiza; Magalu; Magazine Luiza S.A. | Netshoes; KaBuM!; Época Cosméticos; Zattini; Luizacred; Estante Virtual; aiqfome | @magazineluiza.com.br magalu.com
AU Woolworths; Woolworths Group; Woolworths Limited; Woolworths Group Limited | BIG W; Countdown; Everyday Rewards; PETstock; Dan Murphy's; Cartology; Woolworths New Zealand | @woolworths.com.au woolworthsgroup.com.au | !Woolworths Holdings; Woolworths (Pty); Woolworths (Proprietary); Woolworth; Woolworth GmbH; F.W. Woolworth; Woolworths South Africa; Woolworths (Proprietary)
AU Wesfarmers; Wesfarmers Limited | Bunnings; Kmart Australia; Officeworks; Target Australia; Priceline Pharmacy; Catch; Silk Laser
AU Telstra; Telstra Corporation; Telstra Limited; Telstra Group | Belong; Boost Mobile Australia; Telstra Health; Versent; Amplitel; Digicel Pacific; Telstra Energy | !Telstra Dealer; Telstra Shop Franchise; Telstra Licensed
AU Westpac; Westpac Banking; Westpac Banking Corporation; Westpac New Zealand | St.George Bank; BankSA; Bank of Melbourne; BT Financial; RAMS; St George; St. George Bank | !Westpack; Westpac Stadium; Westpac Rescue
AU Commonwealth Bank; CBA; Commonwealth Bank of Australia; CommBank | Bankwest; ASB Bank; CommSec; Bankwest Australia; ASB; x15ventures; Unloan | @commbank.com.au | !Commonwealth Bank & Trust; Commonwealth Bank of Kentucky; Commonwealth Games
CA Royal Bank of Canada; RBC; RBC Royal Bank; Banque Royale du Canada; RBC Dominion Securities | City National Bank; RBC Direct Investing; RBC Insurance; Brewin Dolphin; RBC Capital Markets; RBC Global Asset Management; HSBC Canada | @rbc.com rbcroyalbank.com | !RBC Bearings; RBC Heritage; RBC Roller
CA TD; TD Bank; Toronto-Dominion Bank; The Toronto-Dominion Bank; TD Canada Trust; TD Bank Group | TD Insurance; TD Securities; TD Auto Finance; Cowen; TD Direct Investing; TD Asset Management; Meloche Monnex | @td.com tdbank.com | !TD Garden; TD Synnex; TD Williamson
CA Shopify; Shopify International; Shopify Inc | Shop Pay; Tictail; Oberlo; Dovetale; Checkout Blocks; Shopify Payments; Molly
CA Loblaw; Loblaws; Loblaw Companies; Loblaws Inc | Shoppers Drug Mart; No Frills; Joe Fresh; President's Choice; Real Canadian Superstore; PC Financial; Pharmaprix
ZA Naspers; Prosus; MIH | Takealot; OLX; PayU; Mr D; Superbalist; Property24; AutoTrader SA | @naspers.com prosus.com
NL Just Eat Takeaway; Takeaway.com; Just Eat Takeaway.com; Takeaway.com Group; Just Eat; JET | Lieferando; Thuisbezorgd; Thuisbezorgd.nl; Menulog; SkipTheDishes; yd.yourdelivery; Pyszne.pl | @justeattakeaway.com takeaway.com just-eat.co.uk lieferando.de thuisbezorgd.nl
ZA Standard Bank; Standard Bank Group; The Standard Bank of South Africa; Standard Bank of South Africa | Stanbic Bank; Liberty Holdings; Stanbic IBTC; Stanbic; Liberty Group; OneFarm; Standard Insurance | @standardbank.co.za standardbank.com | !Standard Chartered; Standard Bank & Trust; Standard Bank AG
NG Jumia; Jumia Technologies; Africa Internet Holding; ECART Services; Ecart Services | JumiaPay; Jumia Food; Ecart Internet; Zando; Jumia Egypt; ECART Internet Services; Kaymu | @jumia.com jumia.com.ng jumia.com.eg
US Delta Faucet; Delta Faucet Company | Brizo; Peerless | @deltafaucet.com
US NIQ; NielsenIQ; Nielsen Consumer | GfK; GfK SE; Foxintelligence; CGA; Label Insight; Precima | @nielseniq.com niq.com
US Lilly Pulitzer; Oxford Industries; Sugartown Worldwide | Tommy Bahama; Johnny Was; Southern Tide; Duck Head | @lillypulitzer.com oxfordinc.com
US Stanley 1913; PMI Worldwide; Pacific Market International | Aladdin PMI | @stanley1913.com
US Wish; ContextLogic | Geek | @wish.com
US Columbia; Columbia Sportswear; Columbia Sportswear Company; Columbia Sportswear International | SOREL; Mountain Hardwear; prAna; Montrail; Columbia Brands; Columbia Sportswear Netherlands | @columbia.com columbiasportswear.com | !Columbia University; Columbia Pictures; Columbia Bank
US Miro; RealtimeBoard; Miro AI | Uizard; Freehand | @miro.com | !Fundació Joan Miró; Joan Miró; Miro Hristov
US Gusto; Gusto Inc; ZenPayroll | Symmetry Software; Ardius; RemoteTeam; Guideline | @gusto.com | !Con Gusto; Gusto Pizza; Di Gusto
US Toast; Toast Inc | Sling; xtraCHEF; Delphi Display; StratEx | @toasttab.com | !Toast Ale; Burnt Toast; Toast Kids
BG DSK Bank; Банка ДСК; DSK Bank AD; DSK | OTP Leasing; DSK Leasing | @dskbank.bg
BG Fibank; First Investment Bank; Първа инвестиционна банка | Diners Club Bulgaria | @fibank.bg
CZ Česká spořitelna; Ceska sporitelna | Erste Leasing; Stavební spořitelna | @csas.cz
SK Slovenská sporiteľňa; Slovenska sporitelna; SLSP | LEASING SLSP | @slsp.sk
CZ Komerční banka; Komercni banka; KB | Modrá pyramida; SGEF; Essox | @kb.cz
RO BCR; Banca Comercială Română | BCR Leasing; BCR Pensii; BCR Banca pentru Locuinte | @bcr.ro
RO BRD; BRD Groupe Société Générale | BRD Finance; BRD Asset Management | @brd.ro
HU Magyar Telekom; Magyar Telekom Távközlési | T-Systems Magyarország; Flip | @telekom.hu
SI NLB; Nova Ljubljanska banka; NLB Group | NLB Komercijalna banka; NLB Banka; NLB Skladi; Komercijalna banka | @nlb.si
CH Swiss Re; Swiss Reinsurance; Swiss Reinsurance Company; Schweizerische Rückversicherungs-Gesellschaft | iptiQ; Westport Insurance; elipsLife | @swissre.com | !Swiss Realty; Swiss Red
CH Swiss Life; Schweizerische Lebensversicherungs | Swiss Life Select; AWD; Livit; Chase de Vere | @swisslife.com swisslife.ch
CH Digitec Galaxus; Digitec; Galaxus; Galaxus Deutschland | Galaxus Österreich; Galaxus France | @galaxus.ch digitec.ch galaxus.de
FR Crédit Mutuel; Confédération Nationale du Crédit Mutuel; Caisse Fédérale de Crédit Mutuel; CIC; Banque Fédérative du Crédit Mutuel | Cofidis; Targobank; Crédit Mutuel Arkéa; Euro-Information; Fortuneo; Monabanq; TARGO Dienstleistungs | @creditmutuel.fr
DE Targobank; TARGOBANK AG; TARGO Dienstleistungs | TARGO Versicherung | @targobank.de
US Activision Blizzard; Activision; Blizzard Entertainment; Activision Publishing | King.com; King Digital; Infinity Ward; Treyarch | @activisionblizzard.com activision.com blizzard.com
FR BlaBlaCar; Comuto; Comuto SA | BlaBlaBus; Obilet; Klaxit; Gorillas Bus | @blablacar.fr blablacar.com blablacar.de
BR Nubank; Nu Pagamentos; Nu Holdings; Nu Financeira | NuInvest; Easynvest; Spin Pay; Nu México; Nu Colombia; Hyperplane | @nubank.com.br
TH Thai Airways; การบินไทย; Thai Airways International | Thai Smile; THAI Catering | @thaiairways.com
TH Kasikornbank; ธนาคารกสิกรไทย; KBank; Kasikorn | Muangthai Life; KBTG; Kasikorn Asset Management | @kasikornbank.com
TH SCB; ไทยพาณิชย์; ธนาคารไทยพาณิชย์; Siam Commercial Bank | CardX; Robinhood Thailand | @scb.co.th
TH Bangkok Bank; ธนาคารกรุงเทพ | Permata; Bualuang | @bangkokbank.com
VN Vietcombank; Ngoại thương Việt Nam; Joint Stock Commercial Bank for Foreign Trade of Vietnam | VCB Digibank | @vietcombank.com.vn
VN Viettel; Tập đoàn Công nghiệp - Viễn thông Quân đội; Viễn thông Quân đội | Viettel Telecom; Viettel Post; Viettel Money; Metfone; Unitel; Mytel | @viettel.com.vn
VN Vingroup; Tập đoàn Vingroup | VinFast; Vinhomes; Vinpearl; Vinmec; Vincom; VinUni | @vingroup.net
IL Bank Hapoalim; Hapoalim; בנק הפועלים | Bit | @bankhapoalim.co.il
IL Bank Leumi; Leumi; בנק לאומי; בנק לאומי לישראל | Pepper | @leumi.co.il bankleumi.co.il
IL Wix; Wix.com | DeviantArt; Editor X; Modalyst; Base44 | @wix.com
SA Almarai; المراعي; شركة المراعي | L'usine; Alyoum; 7Days KSA; Western Bakeries | @almarai.com
SA STC; Saudi Telecom Company; شركة الاتصالات السعودية | stc pay; solutions by stc; VIVA Kuwait; Jawwy | @stc.com.sa
SA Saudi Aramco; Aramco; أرامكو السعودية | SABIC; Valvoline Global; Aramco Services | @aramco.com
AE Emirates; Emirates Airline; Emirates Airlines; طيران الإمارات | Emirates Holidays; dnata; Arabian Adventures; Emirates Skywards | @emirates.com | !Emirates NBD; Emirates Islamic; Emirates Global
AE Etisalat; e&; Emirates Telecommunications Group | Careem Technologies; E-Vision; Maroc Telecom; Mobily; PTCL | @etisalat.ae eand.com
AE Noon; Noon AD Holdings; Noon E-Commerce | Namshi; Sivvi; Noon Minutes | @noon.com
MX Banorte; Banco Mercantil del Norte; Grupo Financiero Banorte | Seguros Banorte; Afore XXI Banorte; Casa de Bolsa Banorte; Arrendadora y Factor Banorte | @banorte.com
MX Coppel; Grupo Coppel | BanCoppel; Afore Coppel; Viana | @coppel.com
IN Airtel; Bharti Airtel; Bharti Enterprises | Airtel Payments Bank; Airtel Africa; Nxtra; Robi Axiata; Wynk; Bharti Hexacom; Airtel Networks | @airtel.in
AU Optus; Singtel Optus; Optus Mobile; Optus Networks | amaysim; Circles.Life Australia; Virgin Mobile Australia | @optus.com.au
SG Singtel; Singapore Telecommunications | Optus; NCS; GOMO; Dash | @singtel.com
IT Conad; Conad Società Cooperativa; Consorzio Nazionale Dettaglianti | Todis; PetStore Conad; Conad Nord Ovest; PAC 2000A; CIA Conad | @conad.it
NL NS; Nederlandse Spoorwegen; NS Reizigers; NS Groep | NS International; Abellio; NS Stations; OV-fiets | @ns.nl | !NS Tax; Norfolk Southern
NL Jumbo; Jumbo Supermarkten; Jumbo Groep; Jumbo Food Groep | La Place; Visma Jumbo | @jumbo.com | !Jumbo S.A.; Jumbo EC; Jumbo Retail Argentina
GR Jumbo; Jumbo S.A.; Jumbo EC.B; Jumbo AEE; Jumbo EC.R; Jumbo Trading | Jumbo Babyland | @e-jumbo.gr jumbo.gr | !Jumbo Supermarkten
CZ Kofola; Kofola ČeskoSlovensko; Kofola a.s. | Radenska; Vinea; Rajec; UGO; Leros; Semtex; Studenac | @kofola.cz kofola.sk
DE HUK-COBURG; HUK24; HUK; HUK-COBURG Allgemeine; Haftpflicht-Unterstützungs-Kasse | VRK; Pitstop | @huk.de huk24.de
DE R+V; R+V Versicherung; R+V Allgemeine Versicherung; R+V Lebensversicherung; R+V24; R+V Allgemeine | KRAVAG; Condor; R+V Direktversicherung; Assimoco | @ruv.de
DE Raiffeisen Waren; BayWa | Tessol; BayWa r.e.; BayWa AG | @baywa.de
DE Klett; Ernst Klett; Ernst Klett Verlag; Klett Gruppe | PONS; Langenscheidt; Klett-Cotta; Klett Lerntraining; Studienkreis; ILS; SGD | @klett.de klett.com
DE s.Oliver; s.Oliver Bernd Freier; s.Oliver Group | comma; Liebeskind Berlin; QS by s.Oliver; copo | @soliver.de soliver.com
DE Rossmann; Dirk Rossmann; Rossmann SDP; Rossmann Online | Isana; Supra-Nova; enerBiO | @rossmann.de
RU Kaspersky; Kaspersky Lab; Лаборатория Касперского | Kaspersky Labs; Motiv NT | @kaspersky.com kaspersky.ru
RU Газпром; Gazprom; ПАО Газпром | Газпром нефть; Газпромбанк; Gazprom Neft; Газпром межрегионгаз; Gazprombank; Gazprom Export; Газпром-Медиа | @gazprom.ru gazprom.com
RU Лукойл; LUKOIL; ПАО Лукойл | Teboil; Lukoil Marine; LUKOIL Lubricants; Ликард | @lukoil.com lukoil.ru
KR Lotte; 롯데; 롯데쇼핑; Lotte Shopping; 롯데지주 | Lotte Mart; Lotte Hotel; Lotte Duty Free; Lotteria; Hi-Mart; 롯데하이마트; 롯데칠성음료 | @lotte.co.kr lotte.com
US Vrbo; HomeAway; HomeAway.com | Abritel; Stayz; FeWo-direkt; Bookabach | @vrbo.com
US On Semiconductor; onsemi; ON Semiconductor Corporation; Semiconductor Components Industries | Fairchild Semiconductor; SensL | @onsemi.com
CH On; On AG; On Holding; On Inc; On Clouds; On Running | On Cloud; Cloudmonster | @on-running.com on.com | !On Semiconductor; On Deck; On Demand
DE Mast-Jägermeister; Jägermeister; Mast-Jägermeister US | Teremana; Gin Sul; Sidney Frank Importing | @jagermeister.com jaegermeister.de mast-jaegermeister.de
EE Tallink; Tallink Grupp; Tallink Silja | Silja Line; Tallink Hotels; SeaRail; Tallink Latvija; Silja | @tallink.com tallinksilja.com
EE Bolt; Bolt Technology; Bolt Operations; Taxify; Bolt Services | Bolt Food; Bolt Market; Bolt Drive; Bolt Holdings; Viggo | @bolt.eu | !Bolt Financial; Bolt Insight; Bolt Threads
EE Wise; TransferWise; Wise Payments; Wise Europe | Wise US; Wise Assets | @wise.com | !Wise Bread; Wise Foods; Wise Acre
GB Revolut; Revolut Bank; Revolut Ltd; Revolut Technologies; Revolut Bank UAB | Revolut Payments; Revolut Insurance | @revolut.com
US Chase; JPMorgan Chase Bank; Chase Bank; Chase Bank USA; JPMorgan Chase | J.P. Morgan; Chase Paymentech; Chase Auto | @chase.com | !Chase Plastic; Chase Brexton; Chevy Chase
US Zoom; Zoom Video Communications; Zoom Communications | Workvivo; Solvvy; Kites; Keybase; BrightHire | @zoom.us zoom.com | !Zoom Telephonics; Zoom Airlines; Zoom Room
US Century 21; Century 21 Real Estate; Anywhere Real Estate; Realogy | Coldwell Banker; Sotheby's International Realty; ERA Real Estate; Better Homes and Gardens Real Estate; Corcoran | @century21.com anywhere.re | !Century 21 Stores; Century 21 Department; Century 21 Exhibitions
US Hertz; The Hertz Corporation; Hertz Autovermietung; Hertz Europe; Hertz Global | Dollar Rent A Car; Thrifty Car Rental; Firefly; Ace Rent A Car; Hertz Car Sales | @hertz.com | !Heinrich Hertz; Hertz Farm; Neil Hertz
US Avis Budget; Avis; Avis Budget Group; Avis Rent a Car; Avis Autovermietung; Avis Rent A Car System | Budget Rent a Car; Zipcar; Payless Car Rental; Maggiore; Apex Car Rentals; Budget Rent A Car System; France Cars | @avis.com avisbudgetgroup.com avis.de
US Subway; Subway IP; Subway Franchise World Headquarters; Doctor's Associates; Subway Realty; Subway International | Subway Franchisee Advertising Fund Trust | @subway.com
GB Boots; Boots UK; The Boots Company; Boots Opticians; Boots Opticians Professional Services; Boots Retail | No7; No7 Beauty; Soap & Glory; Liz Earle; Sleek MakeUP; 17 Cosmetics | @boots.com | !Boots & Coots; Red Wing; Boot Barn
AU Canva; Canva Pty; Canva US | Affinity; Serif; Leonardo.ai; Pexels; Pixabay; Flourish; Smartmockups | @canva.com
AU Atlassian; Atlassian US; Atlassian Pty | Trello; Jira; Loom; Statuspage; Opsgenie; The Browser Company; Bitbucket | @atlassian.com
AU Qantas; Qantas Airways | Jetstar; QantasLink; Qantas Loyalty; TripADeal; Jetstar Airways; Qantas Frequent Flyer; Qantas Hotels | @qantas.com
AU Coles; Coles Group; Coles Supermarkets; Coles Supermarkets Australia | Liquorland; First Choice Liquor; flybuys; Vintage Cellars; Coles Express; Coles Online; Coles Financial | @coles.com.au colesgroup.com.au
`;
