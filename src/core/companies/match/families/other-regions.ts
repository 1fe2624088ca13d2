/** Families of companies (`parseFamilies`). */
export const familiesOtherRegions = `
IT Ferrero; Ferrero International; Ferrero Deutschland; Ferrero Commerciale Italia; Soremartec | Nutella; Kinder; Ferrero Rocher; Tic Tac; Raffaello; Hanuta; Duplo; Thorntons; Fannie May | @ferrero.com ferrero.it | !Ferrero Legno; Ferrero Mangimi; Ferrero Legnami
IT Ferrari; Ferrari S.p.A.; Ferrari N.V. | Scuderia Ferrari; Ferrari World | @ferrari.com | !Ferrari Trento; F.lli Lunelli; Ferrari of; Studio Ferrari
IT Luxottica; EssilorLuxottica; Essilor; Luxottica Group; Luxottica of America; Essilor International | Ray-Ban; Oakley; Persol; Oliver Peoples; Sunglass Hut; LensCrafters; GrandVision; Salmoiraghi & Viganò; Apollo-Optik | @essilorluxottica.com luxottica.com
IT Enel; Enel Energia; Enel S.p.A.; Enel X | Endesa; Endesa Energía; Enel Green Power; E-Distribuzione; Servizio Elettrico Nazionale; Enel Distribuição; Enel Chile; Edesur; Energía XXI
IT Eni; Eni S.p.A.; Eni Gas e Luce | Plenitude; Eni Plenitude; Enilive; Versalis; Agip; Enjoy; Be Charge; Saipem; Eni Station
IT Generali; Assicurazioni Generali; Generali Italia; Generali Versicherung; Generali Deutschland; Generali France | Alleanza Assicurazioni; Genertel; CosmosDirekt; Europ Assistance; Cattolica; Advocard; Dialog; Cosmos Lebensversicherung; Česká pojišťovna | !Generali Arena; Affari Generali; Studi Generali; Agenzia Generali
IT Intesa Sanpaolo; Banca Intesa; Intesa | Fideuram; Isybank; Privredna banka Zagreb; VÚB; CIB Bank; Eurizon; Banca Intesa Beograd; UBI Banca; PBZ
IT UniCredit; Unicredito Italiano; UniCredit Bank; UniCredit S.p.A. | HypoVereinsbank; Bank Austria; Zagrebačka banka; Buddybank; Bulbank; Alpha Bank Romania; HVB; UniCredit Leasing
IT Telecom Italia; TIM; TIM S.p.A.; Gruppo TIM | Kena Mobile; Noovle; Olivetti; Sparkle; TIM Brasil; Telsy; TIM Celular; TimVision; Noverca | @tim.it gruppotim.it | !Tim Hortons; Tim Ferriss; Tim Holtz; Tim Müller
IT Prada; Prada S.p.A.; Gruppo Prada; Prada Retail | Miu Miu; Church's; Car Shoe; Versace; Marchesi 1824; Gianni Versace; Luna Rossa; Fondazione Prada
IT OVS; OVS S.p.A.; Gruppo Coin | Upim; Stefanel; Goldenpoint; Coin
IT Unipol; Unipol Gruppo; UnipolSai; UnipolSai Assicurazioni; Unipol Assicurazioni | Linear Assicurazioni; UniSalute; UnipolTech; UnipolRental; Arca Vita; UnipolMove; Compagnia Assicuratrice Linear | !Agenzia Unipol; Agenzia UnipolSai
IT De'Longhi; De Longhi; De'Longhi Appliances | Kenwood; Braun Household; Ariete; NutriBullet; La Marzocco; Eversys; De'Longhi Braun Household; Capital Brands | !Longhi; Studio Legale Longhi
IT Lavazza; Luigi Lavazza | Carte Noire; Kicking Horse; Merrild; Cofincaf; 1895 Coffee; Flavia
IT Campari; Davide Campari; Davide Campari-Milano; Campari Group | Aperol; SKYY Vodka; Grand Marnier; Wild Turkey; Courvoisier; Cinzano; Crodino; Appleton Estate; Espolòn
IT Barilla; Barilla G. e R. Fratelli | Mulino Bianco; Wasa; Filiz; Misko; Pavesi; Harrys; Pasta Evangelists; Barilla Wasa; Voiello
IT Moncler; Industries S.p.A. | Stone Island; Moncler Genius; Sportswear Company
IT Benetton; Benetton Group; United Colors of Benetton | Sisley; Undercolors
IT Calzedonia; Oniverse; Calzedonia Holding | Intimissimi; Tezenis; Falconeri; Signorvino; Atelier Emé; Tezenis Srl; Intimo 3
IT Pirelli; Pirelli Tyre; Pirelli Deutschland | Metzeler; Driver Reifen; Pneumobil; Driver Center
IT Armani; Giorgio Armani; G.A. Operations | Emporio Armani; Armani Exchange; EA7; Armani Casa
IT Piaggio; Piaggio & C. | Vespa; Aprilia; Moto Guzzi; Gilera; Derbi | @piaggio.com piaggiogroup.com | !Piaggio Aerospace; Piaggio Aero
IT Poste Italiane | PostePay; Poste Vita; SDA Express; PosteMobile; BancoPosta; LIS Holding; Poste Assicura; Nexive
IT Yoox; YNAP; YOOX NET-A-PORTER; YOOX NET-A-PORTER GROUP | Net-A-Porter; Mr Porter; The Outnet; LuxExperience; THE NET-A-PORTER GROUP; Mytheresa | @yoox.com ynap.com
ES Inditex; Industria de Diseño Textil; ITX Merken; ITX España; ITX | Zara; Massimo Dutti; Bershka; Pull & Bear; Pull&Bear; Stradivarius; Oysho; Zara Home; Uterqüe | @inditex.com
ES Mango; Punto Fa; MANGO; Mango Online | Mango Man; Mango Teen; Violeta by Mango; Punto-Fa; Mango Haus; Mango MNG | @mango.com | !Mango Airlines; Mango Languages; Mango Health; Mango Publishing
ES Telefónica; Telefonica; Telefónica de España; Telefónica Móviles España; Telefónica Germany; Telefonica UK | Movistar; O2; Vivo; Telxius; Blau; ay yildiz; Fonic; E-Plus; Tuenti
ES Santander; Banco Santander; Santander Bank; Santander Consumer Finance; Santander Consumer Bank; Grupo Santander | Openbank; Santander UK; Getnet; Santander Consumer USA; Ebury; Banesto; Abbey National; Banco Popular; Cahoot | @santander.com santander.es bancosantander.es | !Ciudad de Santander; Racing de Santander; Ayuntamiento de Santander; Puerto de Santander
ES BBVA; Banco Bilbao Vizcaya Argentaria | Garanti BBVA; BBVA Bancomer; Banco Continental; Openpay; Garanti Bankası; BBVA Seguros; BBVA Asset Management; Türkiye Garanti Bankası; Banco Provincial
ES CaixaBank; Caixabank Payments; La Caixa | imagin; Banco BPI; VidaCaixa; MicroBank; SegurCaixa Adeslas; CaixaBank Tech; Bankia; imagintech; Wivai
ES Iberdrola; Iberdrola Clientes; Iberdrola S.A. | ScottishPower; Scottish Power; Avangrid; Neoenergia; Curenergía; Elektro; i-DE; Central Maine Power; NYSEG
ES Repsol; Repsol Comercial; Repsol S.A. | Waylet; Repsol Electricidad y Gas; Campsa; Petronor; Repsol Comercializadora; Viesgo; Wible; Solred; CHC
ES Naturgy; Gas Natural; Gas Natural Fenosa; Naturgy Iberia | Nedgia; Gas Natural Servicios; Comercializadora Regulada; UFD; Metrogas; Unión Fenosa
ES El Corte Inglés; El Corte Ingles | Viajes El Corte Inglés; Hipercor; Sfera; Supercor; Bricor; Telecor; Sfera Joven; Financiera El Corte Inglés; Sicor Alarmas | !El Corte Peluquería; El Corte Barber
ES Mapfre; Mapfre España; Mapfre S.A. | Verti; Verti Aseguradora; Bankinter Vida; Mapfre Sigorta; Direct Line Versicherung; Commerce Insurance; Savia; Verti Versicherung
ES Mercadona | Hacendado; Irmãdona; Irmãdona Supermercados | !Mercado
ES Securitas Direct; Verisure; Securitas Direct España | Verisure Sàrl; Verisure Deutschland; Verisure Italy; Securitas Direct SAS; Verisure Services | @securitasdirect.es verisure.com verisure.es | !Securitas AB; Securitas Deutschland; Securitas Security
ES Puig; Antonio Puig; Puig France; Puig Brands | Carolina Herrera; Rabanne; Paco Rabanne; Jean Paul Gaultier; Nina Ricci; Charlotte Tilbury; Byredo; Penhaligon's; L'Artisan Parfumeur | @puig.com
ES Meliá; Meliá Hotels International; Melia Hotels; Sol Meliá | Sol Hotels; INNSiDE; ME by Meliá; Paradisus; Gran Meliá; TRYP by Wyndham; Prodigios Interactivos; Affiliated by Meliá
ES Cabify; Maxi Mobility; Maxi Mobility Spain | Easy Taxi; Cabify España; Bluetaxi
ES Desigual; Abasic | Desigual Tiendas
ES Glovo; Glovoapp23; Glovoapp; Foodinho | Foodinho S.r.l.; Restaurant Partner Polska; Kobale; Glovoappro
ES Idealista | Idealista Energy; Casa.it; Rentalia; Avaibook; Casa.it S.r.l.
ES Día; DIA; Distribuidora Internacional de Alimentación; Grupo Dia; Dia Retail España | Clarel; La Plaza de Dia; Schlecker España; Minipreço; Beauty by Dia | @dia.es diacorporate.com
ES Grifols; Instituto Grifols | Biotest; Talecris; Biomat USA; Progenika; Araclon
PT Jerónimo Martins; Jeronimo Martins; Jeronimo Martins Polska; Jeronimo Martins Drogerie | Biedronka; Pingo Doce; Hebe; Ara; Recheio; Hussel; Jerónimo Martins Colombia; Jeron | !Przedszkole Biedronka; Żłobek Biedronka
PL Biedronka; Jeronimo Martins Polska | Biek; Dada | @biedronka.pl | !Przedszkole Biedronka; Żłobek Biedronka
PT Sonae; Sonae MC; MC Sonae; Modelo Continente; Modelo Continente Hipermercados; MCH | Continente; Worten; Zippy; MO Fashion; NOS; Wells; Druni; Arenal; Universo
PT Continente; Modelo Continente; Modelo Continente Hipermercados; Sonae MC; MCH | Cartão Continente; Bagga; Meu Super | @continente.pt | !Continente Viagens; El Continente
PT EDP; Energias de Portugal; EDP Comercial; EDP Renováveis; EDP Renewables; EDP Energias do Brasil | SU Eletricidade; E-Redes; EDP España; Sunseap; Hidrocantábrico; Kronos Solar; EDP Espírito Santo; EDP Clientes
PT Millennium bcp; Banco Comercial Português; BCP | ActivoBank; Bank Millennium; Millennium bim; Millennium Leasing; Millennium Fundacja
SE H&M; H & M Hennes & Mauritz; Hennes & Mauritz; H&M Hennes & Mauritz; H and M | COS; & Other Stories; Arket; Weekday; Monki; H&M Home; FaBric Scandinavien; Sellpy; Cheap Monday | @hm.com hmgroup.com | !H&M Auto; H&M Roofing; H.M. Customs; H&M Trucking
SE IKEA; Ingka; Ingka Group; Inter IKEA; Inter IKEA Systems; IKEA Supply | Ingka Centres; Livat; TaskRabbit; Ikano Bank; Made4net; IKANO; Ingka Services; IKEA Industry; IKEA Ibérica | @ikea.com ingka.com
SE Ericsson; Telefonaktiebolaget LM Ericsson; Telefonaktiebolaget L M Ericsson; LM Ericsson | Cradlepoint; Vonage; Ericsson Enterprise Wireless; Red Bee Media; Ericsson-LG; iconectiv; Vonage Business; Ericsson Nikola Tesla; NewVoiceMedia | !Sony Ericsson; Ericsson Bygg
SE Volvo Cars; Volvo Car; Volvo Personvagnar; Volvo Car Corporation | Care by Volvo; Volvo On Demand; Zenseact; Volvo Car Retail; M Sverige; Volvo Car Mobility; HaleyTek; Bra Bil | @volvocars.com | !Volvo Trucks; Volvo Construction; Volvo Penta; Volvo Group
SE Volvo; Volvo Group; AB Volvo; Volvo Trucks; Volvo Lastvagnar; Volvo Construction Equipment | Mack Trucks; Renault Trucks; Volvo Penta; Volvo Buses; Volvo Financial Services; Nova Bus; Prevost; Mack; Designwerk | @volvogroup.com volvo.com | !Volvo Car; Volvo Personvagnar
SE Electrolux; AB Electrolux; Electrolux Group; Electrolux Hausgeräte; Electrolux Appliances; Electrolux Home Products | AEG; Frigidaire; Zanussi; Juno; Rex; Faure; Arthur Martin; Electrolux Italia; Progress | !Electrolux Professional; Electrolux Servis
SE Swedbank; Swedbank AB; FöreningsSparbanken | Swedbank Robur; Hansabank; PayEx; Entercard; Paywerk; Stabelo; Bankernas; Hansapank
SE Telia; Telia Company; TeliaSonera; Telia Sverige; Telia Finland; Telia Norge | Halebop; Telia Eesti; Telia Lietuva; Phonero; OneCall; MyCall; Fello; TV4; C More
SE ICA; ICA Sverige; ICA Gruppen; ICA Fastigheter | Apotek Hjärtat; ICA Banken; Rimi; Rimi Baltic; ICA Försäkring; Rimi Latvia; Rimi Lietuva; Rimi Eesti | @ica.se icagruppen.se | !ICA Supermarket; ICA Kvantum; ICA Nära; ICA Maxi
SE Spotify; Spotify AB; Spotify USA | Megaphone; Anchor FM; Findaway; Parcast; Gimlet; WhoSampled; Heardle; Podsights; Sonantic
SE Klarna; Klarna Bank; Klarna AB | Hero; Stocard; Sofort; Sofort GmbH; BillPay; Hero Towers; PriceRunner; Klarna Checkout; Inspirock
DK LEGO; LEGO System; LEGO A/S; LEGO Brand Retail; LEGO Juris; LEGO Handelsgesellschaft | BrickLink; LEGO House; Duplo; LEGO Education; Light Brick Studio; Bionicle | @lego.com | !Legoland; Legolas; Lego Movie Fan
GB Merlin Entertainments; Merlin Attractions Operations; Merlin Entertainments Group | Legoland; LEGOLAND Deutschland; Madame Tussauds; Sea Life; Alton Towers; Heide Park; Gardaland; Thorpe Park; Chessington
DK Carlsberg; Carlsberg Danmark; Carlsberg Breweries; Carlsberg Deutschland; Carlsberg UK | Tuborg; Kronenbourg; Holsten; Brasseries Kronenbourg; 1664; Somersby; Baltika; Feldschlösschen; Britvic
DK Maersk; A.P. Møller - Mærsk; A.P. Moller - Maersk; AP Møller Mærsk; Maersk Line; Maersk A/S | Sealand; Hamburg Süd; APM Terminals; Damco; LF Logistics; Twill; Svitzer; Performance Team; Visible SCM | !Maersk Drilling; Maersk Oil; Maersk Møbler
DK Novo Nordisk; Novo Nordisk Pharma; Novo Nordisk Healthcare; Novo Nordisk Farma | Ozempic; Wegovy; Forma Therapeutics; Dicerna; Emisphere; Akero; NovoPen; Saxenda; Cardior
DK Ørsted; Orsted; DONG Energy; Ørsted Wind Power | Lincoln Clean Energy; Ostwind; Radius Elnet
NO DNB; DNB Bank; DNB ASA; Den norske Bank; DNB Livsforsikring | Sbanken; DNB Eiendom; DNB Asset Management; Postbanken; Carnegie; Vital; DNB Carnegie; Nordlandsbanken; Fleet Autorent | @dnb.no | !De Nederlandsche Bank; Dun & Bradstreet; DNB Building; DNB First
NO Telenor; Telenor Norge; Telenor ASA; Telenor Sverige; Telenor A/S | Talkmore; dtac; Grameenphone; DNA Oyj; DNA; CBB; Vimla; Digi Malaysia; Open Universe
NO Schibsted; Schibsted Media; Schibsted ASA; Vend Marketplaces; Schibsted News Media | FINN.no; Blocket; Aftonbladet; VG; Aftenposten; Svenska Dagbladet; Tori; DBA; Prisjakt
NO Finn.no; FINN.no; Finn no | Nettbil; FINN Eiendom | @finn.no | !Finn Partners; Finn Comfort; Finn Air; Finn Malerservice
FI Nokia; Nokia Corporation; Nokia Solutions and Networks; Nokia Oyj | Alcatel-Lucent; Bell Labs; Infinera; Nokia Siemens Networks; Nokia Bell; Rivet Networks; Alcatel Submarine; Nuage; Comptel | !Nokian Tyres; Nokian Renkaat; Nokian Panimo; Kaupunki Nokia
FI Kone; KONE Corporation; KONE Oyj; KONE GmbH | KONE Industrial; Crown Lifts; Marryat & Scott; Motala Hissar; Hissi; KONE Elevators | @kone.com | !Kone Motors; Konecranes; Kone Sushi; Koneporssi
FI Kesko; Kesko Oyj; Keskoesko | K-Rauta; Onninen; K-Citymarket; Byggmakker; K-Bygg; K-Auto; Intersport Finland; Davidsen; K-Supermarket
FI S Group; S-ryhmä; SOK; Suomen Osuuskauppojen Keskuskunta; S-kaupat | Prisma; Sokos; S-market; Alepa; ABC; Sokos Hotels; HOK-Elanto; S-Pankki; Sokotel | @s-kaupat.fi s-kanava.fi sok.fi
FI Nordea; Nordea Bank; Nordea Bank Abp | Nordea Finance; Nordea Funds; Nordea Liv; Gjensidige Bank; Merita; Nordea Kredit; Nordea Rahoitus; Nordea Eiendomskreditt; Nordea Investment | !Nordea Roofing
FI Fiskars; Fiskars Group; Fiskars Finland | Iittala; Royal Copenhagen; Wedgwood; Waterford; Gerber Gear; Rörstrand; Georg Jensen; Arabia; WWRD
PL LPP; LPP S.A.; LPP Retail; LPP Deutschland | Reserved; Sinsay; Mohito; House; Cropp; LPP Reserved; Silky Coders; Sinsay Romania | !LPP Law; LPP Coaching
PL CCC; CCC S.A.; CCC.eu; Modivo; Modivo S.A. | eobuwie; HalfPrice; DeeZee; eobuwie.pl; Worldbox; epantofi; eobuv; Gino Rossi; Kapp Ahl | @ccc.eu
PL Allegro; Allegro.eu; Allegro sp; Grupa Allegro; Allegro.pl | Ceneo; eBilet; Mall Group; Allegro Pay; Mimovrste; WE|DO; Allegro Retail; Allegro Finance; Ceneo.pl | @allegro.pl allegro.eu | !Allegro MicroSystems; Allegro Microsystems; Allegro Development; Allegro Coffee
PL Orlen; PKN Orlen; Orlen S.A.; Polski Koncern Naftowy Orlen; ORLEN Deutschland | star Tankstellen; Energa; PGNiG; Lotos; Unipetrol; Benzina; Ruch; Polska Press; Orlen Paczka
PL PKO; PKO Bank Polski; PKO BP; Powszechna Kasa Oszczędności Bank Polski; Powszechna Kasa Oszczędności | Inteligo; Kredobank; PKO Leasing; PKO Ubezpieczenia; PKO Faktoring; PKO TFI; PKO Bank Hipoteczny; Nordea Polska; Masterlease
PL PZU; Powszechny Zakład Ubezpieczeń; PZU S.A.; PZU Życie | Link4; Bank Pekao; Alior Bank; LINK4 Towarzystwo; PZU Zdrowie; AAS Balta; Lietuvos Draudimas; PZU TFI; Pekao TFI | !Agent PZU; Multiagencja; Ubezpieczenia PZU
PL InPost; InPost sp; InPost S.A.; Integer.pl; InPost Paczkomaty | Mondial Relay; Menzies Distribution; Sending; Yodel; InPost UK; Paczkomaty; Grupa Integer; LOCKERINPOST; Locker InPost
PL Żabka; Żabka Polska; Zabka Polska; Żabka Group | Maczfit; Froo; Dietly; Żabka Jush; Froo Romania; Maczfit Foods; Żabka Nano; Masterlife Solutions; Lite E-commerce | @zabka.pl | !Żabka Przedszkole; Żabka Sklep Franczyzobiorca; Przedszkole Żabka
PL Media Expert; Terg; TERG S.A. | electro.pl; avans.pl; Avans; Mediaexpert | @mediaexpert.pl | !Media Expert Consulting; Expert Media
PL Euro-net; RTV Euro AGD; EURO-NET; Euro-net sp | OleOle! | @euro.com.pl
PL CD Projekt; CD PROJEKT RED | GOG; The Witcher; Cyberpunk; The Molasses Flood; GOG sp; Spokko; GOG Poland; GOG.com; Witcher 3
PL Polsat; Cyfrowy Polsat; Polkomtel; Grupa Polsat Plus; Telewizja Polsat | Plus; Netia; Interia; Ipla; Polkomtel sp; Plush; Polsat Box; Grupa Interia.pl; TM Rental
PL Wirtualna Polska; Wirtualna Polska Media; WP Media; Wirtualna Polska Holding | o2.pl; Domodi; Superauto.pl; Wakacje.pl; Szallas; Homebook; Extradom; Invia; Wakacje
CZ Alza; Alza.cz; Alza.cz a.s. | AlzaDrive; Alza.sk; Alza.hu; AlzaPower; Alza Magyarország | @alza.cz
CZ ČEZ; CEZ; ČEZ Prodej; ČEZ Distribuce; ČEZ a.s.; CEZ Group | Elevion; ČEZ ESCO; Tesla Energy CZ; Škoda JS; GasNet; TelNet; ČEZ ICT; MARTIA; Kofler Energies
CZ Seznam; Seznam.cz | Sklik; Mapy.cz; Zboží.cz; Sreality; Borgis; Stream.cz; Novinky; Mapy | @seznam.cz | !Seznam Rande; Seznamka
CZ Rohlík; Rohlik Group; Velká Pecka; VELKÁ PECKA; Rohlik.cz | Knuspr; Kifli; Gurkerl; Sezamo; Bringmeister; Rohlik GmbH; Knuspr.de; Gurkerl.at; Kifli.hu
CZ Heureka; Heureka Group; Heureka Shopping | Ceneje; Jeftinije; Arukereso; Pazaruvaj; Compari; Online Comparison Shopping; Ceneje.si; NaszSklep; Árukereső.hu | @heureka.cz heureka.sk | !Heureka Software; Klub Heureka; Heureka Theater; Heureka Consulting
CZ Packeta; Zásilkovna; Packeta Group; Packeta s.r.o. | Zasilkovna; Packeta Slovakia; Sendiroo; Packeta Hungary; Packeta Poland; Packeta Romania | @packeta.com zasilkovna.cz
CZ Notino; Notino s.r.o.; Internet Shop s.r.o. | parfums.cz; iParfumerie; Aoro; Notino Romania | @notino.cz notino.de
CZ Škoda Auto; ŠKODA AUTO; SKODA AUTO; Škoda Auto Deutschland | Škoda Plus; ŠKODA AUTO DigiLab; Škoda X; Skoda | @skoda-auto.cz skoda-auto.com skoda-auto.de | !Škoda Transportation; ŠKODA JS; Škoda Praha; Škoda Group
HU OTP Bank; OTP; OTP Bank Nyrt; OTP Bank Plc | Merkantil Bank; OTP banka; SKB banka; DSK Bank; Банка ДСК; OTP Ingatlanpont; Nova KBM; Garancia; Ipoteka Bank | !OTP Law; Ortofoto; OTP Logistics
HU MOL; MOL Nyrt; MOL Magyar Olaj- és Gázipari; MOL Group; MOL Hungary; MOL Magyarország | INA; Slovnaft; Tifon; MOL Romania; MOL Bubi; MOL Limo; Slovnaft Česká; Aurora; INA-Industrija nafte | !Mitsui O.S.K.; MOL Chemical; MOL Logistics; Mol Beton
HU Wizz Air; Wizz Air Hungary; Wizz Air Hungary Kft; WIZZ | Wizz Air Abu Dhabi; Wizz Tours; Wizz Air Malta | @wizzair.com
RO eMAG; Dante International; Dante International S.A. | Fashion Days; Sameday; Freshful; Extreme Digital; Depanero; Dante International Kft; eMAG Hungary; eMAG Bulgaria; Tazz | @emag.ro emag.hu emag.bg | !EMAG GmbH; Emag Machine; EMAG Holding; Emag Maschinenfabrik
RO Digi; Digi Romania; RCS & RDS; RCS&RDS; Digi Communications; RCS and RDS | Digi Spain; DIGI Portugal; Digi Belgium; Digi24; Nowo; Invitel; Digi Sport; DIGI Távközlési | @digi.ro digi.hu digimobil.es digi.net | !Digi International; Digi Telecommunications; Digi-Key; DigiKey
RO Banca Transilvania; Banca Transilvania S.A. | BT Leasing; Salt Bank; BT Direct; Victoriabank; BT Mic; BT Capital Partners; Idea Bank Romania; OTP Bank Romania; BT Pensii | @bancatransilvania.ro btrl.ro
RO Dedeman; Dedeman SRL | Pif'n Tail; AutoDedeman; CEMACON
HR Infobip | Peerless; OpenMarket; Anam; Shift Conference; Infobip Ltd
HR Podravka; Podravka d.d. | Vegeta; Belupo; Žito; Lino; Dolcela; Mirna; Fant; Lagris; Čokolino
HR Fortenova; Agrokor; Fortenova grupa | Konzum; Jamnica; Ledo; Zvijezda; Mercator; Idea; Dijamant; Jamnica plus; Roto dinamic
SI Krka; Krka tovarna zdravil; KRKA d.d.; Krka-Farma; KRKA Polska; TAD Pharma | Terme Krka; TAD; Septolete; Nalgesin; Fitoval; Herbion; Terix | @krka.si krka.biz | !Apartmani Krka; NP Krka; Nacionalni park Krka; Krka Apartmani
SI Gorenje; Hisense Gorenje; Gorenje gospodinjski aparati; Hisense Gorenje Europe; Hisense Europe | Asko; Mora; ATAG; Etna; Körting; UPO; Pelgrim; Hisense; ATAG Nederland | @gorenje.com hisense-europe.com | !Servis Gorenje; Gorenje Group Kuhinje
GR OTE; Cosmote; ΟΤΕ; Cosmote Telekom; Hellenic Telecommunications; Οργανισμός Τηλεπικοινωνιών | Germanos; Cosmote TV; What's Up; ΓΕΡΜΑΝΟΣ; OTEGlobe; Telekom Romania Mobile; COSMOTE Payments; CTS; Cosmo-One
GR PPC; Public Power Corporation; ΔΕΗ; DEI; Δημόσια Επιχείρηση Ηλεκτρισμού; PPC Renewables | Kotsovolos; Κωτσόβολος; Enel Romania; PPC Energie; HEDNO; Dixons South-East Europe; PPC blue; ΔΕΔΔΗΕ; DEI Blue | @dei.gr ppcgroup.com
GR Public; Public-MediaMarkt; Retail World; Public Retail World | MediaMarkt Greece; Public Cyprus; Multirama; Media Saturn Electronics Hellas; Public MediaMarkt | @public.gr
GR Eurobank; Eurobank S.A.; Eurobank Ergasias; Τράπεζα Eurobank | Hellenic Bank; Postbank Bulgaria; Eurolife; Eurobank Bulgaria; Eurobank Cyprus; TT Hellenic Postbank; BNP Paribas Bulgaria; Eurobank Direktna; Eurobank Leasing
GR Alpha Bank; Alpha Services and Holdings; Άλφα Τράπεζα; Alpha Bank S.A.; Alpha Τράπεζα | Alpha Bank Cyprus; Alpha Leasing; Alpha Finance; AstroBank; Alpha Asset Management; Flexfin; Axia Ventures; AXIA; Nexi Greece | @alpha.gr
TR Koç Holding; Koç; Koç Topluluğu; Koc Holding | Arçelik; Beko; Ford Otosan; Tofaş; Tüpraş; Yapı Kredi; Otokoç; Aygaz; Opet
TR Arçelik; Arcelik; Arçelik A.Ş.; Beko; Arçelik Pazarlama; Beko Europe | Grundig; Blomberg; Altus; Defy; Dawlance; Arctic; Elektra Bregenz; Leisure; Beko plc | @arcelik.com.tr beko.com | !Beko Technologies; Beko Servisi; BEKO BBL; Arçelik Yetkili
TR Yapı Kredi; Yapı ve Kredi Bankası; Yapı Kredi Bankası; Yapi ve Kredi Bankasi | World Card; Yapı Kredi Leasing; Yapı Kredi Yatırım; Yapı Kredi Faktoring; Yapı Kredi Portföy; World Pay; Yapı Kredi Nederland | @yapikredi.com.tr
TR Trendyol; DSM Grup; DSM Grup Danışmanlık; Trendyol Group | Dolap; Trendyol Express; Trendyol Go; Trendyolmilla; DSM Group; Trendyol Germany; Dolap.com; Trendyol Pay; DSM Grup Danışmanlık İletişim | @trendyol.com
TR Hepsiburada; D-Market; D-MARKET Elektronik Hizmetler; D-Market Elektronik | HepsiJET; HepsiPay; HepsiGlobal; D Ödeme; Hepsi Finans; D Fast; Hepsiburada Global; D-Market Electronic; HepsiMat | @hepsiburada.com
TR Turkish Airlines; Türk Hava Yolları; THY; Turk Hava Yollari | AnadoluJet; AJet; Turkish Cargo; SunExpress; THY Teknik; Miles&Smiles; Turkish Technic; THY Ortaklığı; TKPay | @turkishairlines.com thy.com
TR Turkcell; Turkcell İletişim Hizmetleri; Turkcell Iletisim | Superonline; Paycell; BiP; lifecell; TV+; Superonline İletişim; fizy; Lifecell Ukraine; Digital Education
TR Türk Telekom; Türk Telekomünikasyon; Turk Telekom; TT Mobil; TTNET; Turk Telekomunikasyon | Avea; TT Mobil İletişim; Pilot; Tivibu; Sebit; Innova; Selfy; AssisTT; Argela
TR Pegasus; Pegasus Airlines; Pegasus Hava Taşımacılığı; Pegasus Hava Yolları | BolBol; Pegasus Turistik; flypgs | @flypgs.com | !Pegasus Solar; Pegasus Books; Pegasus Tech; Pegasus World
RU Яндекс; Yandex; ООО Яндекс; Yandex N.V.; Яндекс.Такси | Кинопоиск; Яндекс Маркет; Auto.ru; Yango; Едадил; Авто.ру; Яндекс Еда; Яндекс Лавка; Delivery Club
RU Сбербанк; Сбер; Sberbank; Sber; ПАО Сбербанк; Sberbank of Russia | СберМаркет; Домклик; Okko; Самокат; СберМегаМаркет; Rambler; Sberbank Europe; СберЗдоровье; СберАвто
RU МТС; MTS; Mobile TeleSystems; МТС ПАО; Мобильные ТелеСистемы; Мобильные Телесистемы | МТС Банк; KION; МГТС; MTS Bank; МТС-Банк; МТС Медиа; Ситимобил; MTS Armenia; Билетная система | @mts.ru | !MTS Systems; MTS Logistics; MTS Medication; MTS Sensor
RU Магнит; Magnit; ПАО Магнит; Тандер; АО Тандер | Дикси; Магнит Косметик; Магнит Маркет; KazanExpress; Азбука вкуса; Дикси Юг; Tander; Самбери; Магнит Аптека | @magnit.ru magnit.com | !Магнит Мебель; Magnit Corporation; Магнит-Сервис; Магнитогорск
RU Авито; Avito; КЕХ еКоммерц; KEH eCommerce; КЕХ | Domofond; Авито Авто; Авито Работа; Kismet; Autoteka; Автотека; Avito Holding; Домофонд; Avito Услуги | @avito.ru
RU Ozon; Озон; Интернет Решения; Internet Solutions; Ozon Holdings | OZON Travel; Ozon Банк; Озон Банк; OZON fresh; Ozon Invest; Ozon Global; Ozon Technologies; Интернет Логистика; Еком Банк | @ozon.ru ozon.com
RU Wildberries; Вайлдберриз; RVB; РВБ | WB Taxi; Wildberries Bank; Вайлдберриз Банк; WB Travel; RWB; WB Банк; Russ Outdoor; Russ
RU Тинькофф; Тинькофф Банк; Т-Банк; T-Bank; Tinkoff; Tinkoff Bank | Тинькофф Страхование; Тинькофф Мобайл; Росбанк; Tinkoff Mobile; Т-Страхование; CloudPayments; Jump.Finance; Т-Мобайл; Т-Технологии | @tinkoff.ru tbank.ru
RU X5; X5 Group; X5 Retail Group; ИКС 5; Корпоративный центр ИКС 5 | Пятёрочка; Перекрёсток; Чижик; Карусель; Агроторг; Food.ru; Пятерочка; Перекресток; Агроаспект
UA ПриватБанк; PrivatBank; Privatbank; КБ ПриватБанк | Приват24; LiqPay; Privat24 | @privatbank.ua
UA Київстар; Kyivstar; Киевстар; Kyivstar JSC | Helsi; Tabletki.ua; Uklon; Київстар ТБ; Lan Trace; Kyivstar.Tech; Хелсі
UA Monobank; Універсал Банк; Universal Bank; monobank; Універсал банк | Fintech Band; Shake to Pay; monomarket | @monobank.ua | !Mono Music; Mono Dental
UA Rozetka; Розетка; Розетка УА; Rozetka.ua; РОЗЕТКА. УА | Prom.ua; EVO; Bigl.ua; Kidstaff; Shafa; RozetkaPay; ROZETKA Polska; Prom; Zakupki.prom.ua | @rozetka.com.ua rozetka.ua
UA Comfy; Комфі; Комфі Трейд; COMFY TRADE | ТОВ Комфі Трейд | @comfy.ua | !Comfy Home; ComfyTech; Comfy Inn; Comfy Cow
JP Toyota; Toyota Motor; Toyota Motor Corporation; Toyota Motor Sales; Toyota Motor Europe; Toyota Deutschland | Lexus; Daihatsu; Kinto; Hino; Toyota Financial Services; Toyota Kreditbank; Scion; Woven; Toyota Credit | @toyota.com toyota.de toyota.co.jp toyota-europe.com | !Toyota of; Toyota Tsusho; Toyota Boshoku; Toyota Industries
JP Sony; Sony Group; Sony Corporation; ソニー; Sony Europe; Sony Electronics | PlayStation; Sony Interactive Entertainment; Sony Music; Sony Pictures; Crunchyroll; Columbia Pictures; Bungie; Insomniac Games; SIE | !Sony Okonkwo; Sonny; Sony Repair; Sony Centre
JP Panasonic; Panasonic Holdings; パナソニック; Panasonic Marketing Europe; Panasonic Corporation; Panasonic Deutschland | Technics; Lumix; Sanyo; Blue Yonder; Hussmann; National; Eluga; Panasonic Energy; Arbo | @panasonic.com
JP Honda; Honda Motor; Honda Motor Company; American Honda Motor; ホンダ; 本田技研工業 | Acura; Honda Bank; American Honda Finance; Honda Power Equipment; HondaJet; Honda Canada; Honda Aircraft; Honda Deutschland; Honda Access | @honda.com honda.co.jp honda.de | !Honda of; Honda Center; Honda Tsusho; Honda Dealer
JP Nissan; Nissan Motor; Nissan North America; 日産自動車; 日産; Nissan International | Infiniti; Datsun; Nissan Financial; Nissan Motor Acceptance; NISMO; Nissan Iberia; Nissan Italia; Infiniti Financial; Nissan Finance | @nissan.com nissanusa.com nissan.co.jp nissan-global.com nissan.de | !Nissan of; Nissan Chemical; Nissan Shatai; Nissan Reaser
JP Fast Retailing; ファーストリテイリング; Fast Retailing Co; FAST RETAILING | UNIQLO; ユニクロ; GU; Theory; Comptoir des Cotonniers; Princesse tam.tam; J Brand; PLST; ジーユー
JP Nintendo; 任天堂; Nintendo of America; Nintendo of Europe; Nintendo Co | Monolith Soft; Retro Studios; Next Level Games; Nintendo Ibérica; Nintendo Switch; Shiver Entertainment; iQue; Mario Club; Nintendo of Europe SE | @nintendo.com nintendo.co.jp nintendo.de | !Nintendo Switch Bundles; Nintendo Repair; Nintendo Life; Nintendo World Report
JP Rakuten; 楽天; Rakuten Group; 楽天グループ; Rakuten Europe; 楽天グループ株式会社 | Rakuten Viki; Kobo; Viber; Rakuten TV; Rakuten Mobile; 楽天カード; 楽天銀行; 楽天モバイル; Ebates | @rakuten.co.jp rakuten.com
JP SoftBank; ソフトバンク; SoftBank Group; SoftBank Corp; ソフトバンクグループ | Y!mobile; LINEMO; Arm; PayPay; LY Corporation; Ampere Computing; SB Technology; BBIX; SB Energy
JP Seven & i; Seven & i Holdings; セブン&アイ; セブン&アイ・ホールディングス; 7-Eleven | 7-Eleven Inc; Ito-Yokado; Speedway; Stripes; Seven Bank; セブン-イレブン; イトーヨーカ堂; セブン銀行; Speedway LLC | @7andi.com 7-eleven.com sej.co.jp
JP Shiseido; 資生堂; Shiseido Company; 資生堂ジャパン; Shiseido Americas; Shiseido Germany | NARS; Clé de Peau; Drunk Elephant; Elixir; Anessa; Issey Miyake Parfums; narciso rodriguez; Dr. Dennis Gross; Beauté Prestige International
JP Canon; キヤノン; Canon Europe; Canon USA; Canon Europa; Canon Deutschland | Océ; Axis Communications; Milestone Systems; Canon Medical; IRIS; NT-ware; Irista; Canon Production Printing; Canon Medical Systems | @canon.com canon.de global.canon canon-europe.com | !Canon City; Canon McMillan; Canon Hygiene; Canonical
JP Mitsubishi Electric; 三菱電機; Mitsubishi Electric Europe; Mitsubishi Electric Corporation | Climaveneta; RC Group; AQS; Iconics; Nozomi Networks; MEHITS; Mitsubishi Electric Hydronics; DeLclima; Mitsubishi Elevator | !Mitsubishi Motors; Mitsubishi Heavy; Mitsubishi UFJ; Mitsubishi Chemical
JP Hitachi; 日立; 日立製作所; Hitachi Ltd; Hitachi Europe; 株式会社日立製作所 | Hitachi Energy; Hitachi Rail; GlobalLogic; Hitachi Vantara; Hitachi Digital; Ansaldo STS; JR Automation; Hitachi Solutions; Sullair | !Hitachi Construction; Hitachi Zosen; Hitachi Metals; Hitachi Maxell
JP NTT; NTT Docomo; NTTドコモ; 日本電信電話; NTT DATA; NTT Docomo Inc | Dimension Data; everis; itelligence; NTTデータ; NTT東日本; NTT西日本; ahamo; 東日本電信電話; 西日本電信電話 | @docomo.ne.jp ntt.com ntt.co.jp nttdata.com | !NTT Training; NTT New Textile; NTT Natural
KR Samsung; Samsung Electronics; 삼성전자; 삼성; Samsung Electronics America; Samsung Electrónica | Harman; Harman International; JBL; AKG; Harman Kardon; SmartThings; Galaxy; Samsung Ads; Samsung Semiconductor | @samsung.com sec.co.kr | !Samsung Heavy; Samsung C&T; Samsung Life; Samsung Fire
KR LG Electronics; LG; LG전자; 엘지전자; LG Electronics Inc; LG Electronics Deutschland | ZKW; Athom; SIGNATURE; LG Ads; Alphonso; LG Electronics USA; Bear Robotics; webOS; Hi Plaza | @lg.com | !LG Chem; LG Energy; LG Display; LG Uplus
KR Hyundai; Hyundai Motor; Hyundai Motor Company; 현대자동차; 현대차; Hyundai Motor America | Genesis; Genesis Motor; Hyundai Capital; Hyundai Mobility; IONIQ; Hyundai Card; 현대캐피탈; 현대카드; Boston Dynamics | @hyundai.com hyundai.de hyundaiusa.com | !Hyundai Department; Hyundai Heavy; Hyundai Merchant; Hyundai Engineering
KR SK Telecom; SKT; SK텔레콤; 에스케이텔레콤 | T map; 11번가; SK Broadband; SK브로드밴드; 11Street; Wavve; 티맵모빌리티; SK Square; SK플래닛
KR SK hynix; SK하이닉스; 에스케이하이닉스; Hynix | Solidigm; SK hynix system ic; SK hynix America; Hynix Semiconductor | @skhynix.com
KR NAVER; 네이버; Naver Corporation; NHN | LINE Webtoon; Webtoon; Wattpad; Poshmark; SNOW; 네이버파이낸셜; Naver Z; Wallapop; ZEPETO
KR Kakao; 카카오; Kakao Corp; 주식회사 카카오 | Daum; Kakao Games; Kakao Pay; Kakao Bank; Kakao Mobility; Kakao Entertainment; Tapas; Radish; Melon
KR Coupang; 쿠팡; Coupang Corp; 쿠팡 주식회사 | Farfetch; Coupang Eats; Coupang Play; 쿠팡이츠; 쿠팡이츠서비스; 쿠팡페이; Coupang Fulfillment; Farfetch UK; 쿠팡풀필먼트서비스
KR Baemin; 배달의민족; 우아한형제들; Woowa Brothers; 주식회사 우아한형제들 | 우아한청년들; B Mart; Baedal Minjok; 배민 | @baemin.com woowahan.com
KR Toss; 토스; 비바리퍼블리카; Viva Republica; Viva Republica Inc | 토스뱅크; 토스증권; Toss Bank; 토스페이먼츠; Toss Securities; VCNC; 타다; 토스인슈어런스; 토스씨엑스 | @toss.im
CN Alibaba; 阿里巴巴; Alibaba Group; Alibaba.com; Taobao; Alibaba.com Singapore | AliExpress; Lazada; Tmall; 淘宝; 天猫; Cainiao; Daraz; Trendyol; Alibaba Cloud
CN Tencent; 腾讯; 深圳市腾讯计算机系统; Tencent Technology; Tencent Holdings; 騰訊 | WeChat; Riot Games; Supercell; Proxima Beta; Level Infinite; Fatshark; PUBG Mobile; QQ Music; Tencent Cloud | @tencent.com qq.com
CN ByteDance; 字节跳动; Bytedance; ByteDance Pte; 抖音; 北京字节跳动科技 | TikTok; CapCut; Douyin; Lemon8; Lark; Pico; Toutiao; Moonton; Nuverse
CN TikTok; TikTok Technology; TikTok Pte; TikTok Inc; TikTok Information Technologies; Bytedance | TikTok Shop; TikTok USDS; TikTok Studio; TikTok Ads; TikTok Ireland | @tiktok.com
CN Xiaomi; 小米; 小米科技; Xiaomi Technology; Xiaomi Inc; Beijing Xiaomi | POCO; Redmi; Mi Store; Xiaomi H.K.; Xiaomi Singapore; Xiaomi Technology India; 小米通讯; Xiaomi Technology Netherlands; Xiaomi Auto | @mi.com xiaomi.com | !小米粥
CN Huawei; 华为; Huawei Technologies; Huawei Device; 華為; 华为技术 | Petal Search; HiSilicon; Huawei Services; Aspiegel; Huawei Cloud; FreeBuds; Huawei Consumer; 海思; Huawei Deutschland
CN Lenovo; 联想; Lenovo Group; Lenovo (Deutschland); Lenovo (United States); 聯想 | Motorola Mobility; Medion; ThinkPad; Fujitsu Client; NEC Personal; Medion AG; Legion; Yoga; レノボ
CN BYD; 比亚迪; BYD Auto; BYD Europe; BYD Company; 比亞迪 | Denza; Yangwang; FinDreams; Fangchengbao; BYD Auto Japan; BYD Motors; BYD Coach; BYD Deutschland; 弗迪 | !BYD Financial; Byd Sport; BYD LofB
CN Geely; 吉利; Zhejiang Geely; 浙江吉利; Geely Auto; Geely Holding | Polestar; Lynk & Co; Zeekr; LEVC; Lotus; Meizu; Polestar Performance; Polestar Automotive; Lynk & Co International
CN Shein; SHEIN; Roadget; Roadget Business; Zoetop; Zoetop Business | ROMWE; Emery Rose; Missguided; MOTF; Luvlette; Cuccoo; Glow Mode; SheGlam; Dazy | @shein.com
CN PDD; Pinduoduo; 拼多多; PDD Holdings; Whaleco; WhaleCo | TEMU; Whaleco Technology; Whaleco Inc; Whaleco UK; Elementary Innovation Pte; 上海寻梦 | @temu.com pddholdings.com pinduoduo.com
CN Baidu; 百度; Baidu Online; Beijing Baidu; Baidu (Hong Kong); 百度在线 | iQIYI; 爱奇艺; Apollo Go; Popin; Simeji; Ernie; Baidu Japan; 百度网讯; IQIYI International
CN Trip.com; Ctrip; 携程; Trip.com Group; Trip.com Travel Singapore; Ctrip.com | Skyscanner; Qunar; Trip.com Travel; Travix; 去哪儿; Skyscanner Limited; Cheaptickets NL; Vliegwinkel; Tours4fun | @trip.com ctrip.com
SG Sea; Sea Limited; Shopee; Garena; Shopee Singapore; Garena Online | SeaMoney; Free Fire; Shopee Brasil; SPX Express; Monee; MariBank; ShopeePay; SeaBank; Phoenix Labs | @sea.com shopee.sg shopee.com.br shopee.co.id garena.com shopee.com
SG Grab; Grab Holdings; Grabtaxi; GrabTaxi Holdings; Grab Rentals; GrabCar | GrabPay; Jaya Grocer; GXS; OVO; MyTaxi.PH; Trans-cab; Chope; GrabFood; GrabExpress | @grab.com | !Grab & Go; Grab and Go; Grab a Gun; GrabAGun
ID GoTo; Gojek; GoTo Gojek Tokopedia; Aplikasi Karya Anak Bangsa; PT GoTo | GoPay; Bank Jago; GoFood; Midtrans; Loket; GOTO Financial; GoPlay; Dompet Anak Bangsa; Moka | @gojek.com gotocompany.com | !GoTo Technologies; GoTo Meeting; Goto Fashion; GOTO Energy
IN Tata Motors; Jaguar Land Rover; Tata Motors Passenger Vehicles; Tata Motors Limited | Jaguar; Land Rover; Tata Daewoo; Range Rover; Jaguar Land Rover Limited; TMPV; Jaguar Cars; JLR; Iveco Group | @tatamotors.com | !Tata Steel; Tata Power; Tata Consultancy; Tata AIG
GB Jaguar Land Rover; Jaguar Land Rover Limited; JLR | Jaguar; Land Rover; Range Rover; Jaguar Cars; Jaguar Land Rover North America; Land Rover UK; Bowler; Jaguar Land Rover Deutschland; Jaguar Racing | @jaguarlandrover.com jlr.com jaguar.com landrover.com | !Jaguar Health; Jacksonville Jaguars; Jaguar Software; Jaguar Network
IN Reliance Industries; Reliance; RIL; Reliance Industries Limited | Jio; Reliance Jio; Reliance Retail; Ajio; JioMart; Hamleys; Netmeds; Tira; Reliance Digital | @ril.com | !Reliance Capital; Reliance General; Reliance Home; Reliance Power
IN Zomato; Eternal; Eternal Limited; Zomato Limited; Zomato Media | Blinkit; Hyperpure; District; Blink Commerce; Urbanspoon; Grofers; Feeding India; Runnr; Zomato Hyperpure | @zomato.com eternal.com
IN Flipkart; Flipkart Internet; Flipkart Private; Flipkart India | Myntra; Cleartrip; Ekart; Shopsy; Jabong; eBay India; Myntra Designs; Flipkart Wholesale; Instakart | @flipkart.com
IN Myntra; Myntra Designs; Myntra Jabong | Jabong; Flipkart; FWD; Roadster; Flipkart Internet; Vector E-Commerce; Scaling Brands | @myntra.com
MX América Móvil; America Movil; Telcel; Radiomóvil Dipsa; Claro; Telmex | Claro Brasil; Embratel; Comcel; Teléfonos de México; Net Serviços; Radiomovil; Straight; Sercotel; Claro S.A. | !Claro Enterprises; Claro Energy; Claro Aircon; Claro Shades
MX Femsa; Fomento Económico Mexicano; FEMSA Comercio; Cadena Comercial OXXO | OXXO; Spin by OXXO; Coca-Cola FEMSA; Valora; OXXO Gas; Farmacias Yza; Cruz Verde; Spin; k kiosk | @femsa.com
MX Grupo Bimbo; Bimbo; Bimbo, S.A. de C.V.; Bimbo Bakeries USA; Bimbo Iberia; Grupo Bimbo S.A.B. | Marinela; Barcel; Sara Lee Bread; Thomas' English Muffins; Canada Bread; Takis; Arnold Bread; Entenmann's; Donuts Iberia | @bimbo.com grupobimbo.com bimbobakeriesusa.com | !Bimbo y Lola; Bimba y Lola; Bimbo Store; Bimbo Business
MX Liverpool; El Puerto de Liverpool; Distribuidora Liverpool; Servicios Liverpool | Suburbia; Fábricas de Francia; Galerías; Liverpool PC; Banana Republic México; Arco Norte; Suburbia S. de R.L. | @liverpool.com.mx | !Liverpool Football; Liverpool FC; Liverpool City; Liverpool Victoria
AR MercadoLibre; Mercado Libre; MercadoLibre S.R.L.; Mercado Livre; MercadoLivre; Ebazar.com.br | Mercado Pago; MercadoPago; Mercado Envios; DeRemate; Mercado Crédito; Portal Inmobiliario; TuCarro; MercadoShops; Mercado Pago Instituição | @mercadolibre.com mercadolibre.com.ar mercadolivre.com.br mercadolibre.com.mx
AR Despegar; Despegar.com; Decolar; Decolar.com; Despegar.com.ar | Best Day; Viajanet; Koin; Falabella Viajes; Viajes Falabella; BDExperience; Stays.net; HotelDO; Viajes Beda | @despegar.com decolar.com | !Despegar Coaching; Decolar Formação
CL Falabella; Falabella Retail; Falabella S.A.; Banco Falabella; SACI Falabella; Falabella.com | Sodimac; Linio; Tottus; Mall Plaza; Homecenter; Plaza Oeste; Falabella de Colombia; Saga Falabella; Promotora CMR | @falabella.com falabella.cl | !Roberto Falabella; Falabella Horses; Stella McCartney
CL Cencosud; Cencosud Retail; Cencosud S.A.; Cencosud Supermercados | Paris; Easy; Jumbo; Santa Isabel; Disco; Vea; Wong; Metro Perú; The Fresh Market | @cencosud.com cencosud.cl
BR Itaú; Itau; Itaú Unibanco; Banco Itaú; Itau Unibanco; Itaú Unibanco Holding | Rede; iti; Credicard; Unibanco; Itaucard; Redecard; Itaú Corretora; Ion; Hipercard | @itau.com.br | !Itaúna; Itau Power Shopping; Itau de Minas
BR Bradesco; Banco Bradesco; Bradesco Seguros; Bradesco S.A. | next Tecnologia; Digio; Ágora; Bradesco Saúde; Ágora Corretora; Banco Digio; Bradescard; Bradesco Financiamentos; Bradesco Vida | !Corretora Bradesco; Vagas Bradesco; Corretor Bradesco
BR Natura; Natura Cosméticos; Natura &Co; Natura Cosmeticos | Avon Brasil; &Co Pay; Avon Cosméticos Ltda; Avon Industrial; Emana Pay; Avon International; Natura Comercial; Avon Products; Avon | @natura.com.br naturaeco.com | !Natura Siberica; Natura Viva; Pura Natura; Casa Natura
BR O Boticário; Boticário; Grupo Boticário; Botica Comercial Farmacêutica; O Boticário Franchising; Boticario | Eudora; Quem Disse Berenice; quem disse, berenice?; BeautyBox; Vult; O.U.I; Interbelle; Beleza na Web; Truss | @boticario.com.br grupoboticario.com.br | !Farmácia Boticário; Farmacia El Boticario; Drogaria Boticário
BR Americanas; Lojas Americanas; Americanas S.A.; B2W; B2W Digital; B2W Companhia Digital | Submarino; Shoptime; Hortifruti Natural da Terra; Ame Digital; Imaginarium; Puket; Sou Barato; Natural da Terra; Uni.co | @americanas.com.br | !Lojas Americanas do Sul; Las Americanas; Hotel Americanas; Iberoamericanas
BR Magazine Luiza; Magalu; Magazine Luiza S.A. | Netshoes; KaBuM!; Época Cosméticos; Zattini; Luizacred; Estante Virtual; aiqfome; MagaluPay; Kabum | @magazineluiza.com.br magalu.com
AU Woolworths; Woolworths Group; Woolworths Limited; Woolworths Group Limited | BIG W; Countdown; Everyday Rewards; PETstock; Dan Murphy's; Cartology; Woolworths New Zealand; PFD Food; Progressive Enterprises | @woolworths.com.au woolworthsgroup.com.au | !Woolworths Holdings; Woolworths (Pty); Woolworths GmbH; Woolworth
AU Wesfarmers; Wesfarmers Limited | Bunnings; Kmart Australia; Officeworks; Target Australia; Priceline Pharmacy; Catch; Silk Laser; Blackwoods; InstantScripts
AU Telstra; Telstra Corporation; Telstra Limited; Telstra Group | Belong; Boost Mobile Australia; Telstra Health; Versent; Amplitel; Digicel Pacific; Telstra Energy; Telstra International; Pacnet | !Telstra Dealer; Telstra Shop Franchise; Telstra Licensed; Telstra Stadium
AU Westpac; Westpac Banking; Westpac Banking Corporation; Westpac New Zealand | St.George Bank; BankSA; Bank of Melbourne; BT Financial; RAMS; St George; St. George Bank; BT Funds Management; Asgard | !Westpack; Westpac Stadium; Westpac Rescue
AU Commonwealth Bank; CBA; Commonwealth Bank of Australia; CommBank | Bankwest; ASB Bank; CommSec; Bankwest Australia; ASB; x15ventures; Unloan; Kit; Commonwealth Securities | @commbank.com.au | !Commonwealth Bank & Trust; Commonwealth Bank of Kentucky; Commonwealth Games; Commonwealth Edison
CA Royal Bank of Canada; RBC; RBC Royal Bank; Banque Royale du Canada; RBC Dominion Securities; Royal Bank | City National Bank; RBC Direct Investing; RBC Insurance; Brewin Dolphin; RBC Capital Markets; RBC Global Asset Management; HSBC Canada; RBC Wealth; Ownr | @rbc.com rbcroyalbank.com | !RBC Bearings; RBC Heritage; RBC Roller; RBC Life Sciences
CA TD; TD Bank; Toronto-Dominion Bank; The Toronto-Dominion Bank; TD Canada Trust; TD Bank Group | TD Insurance; TD Securities; TD Auto Finance; Cowen; TD Direct Investing; TD Asset Management; Meloche Monnex; TD Waterhouse; TD Wealth | @td.com tdbank.com | !TD Garden; TD Synnex; TD Williamson; TD Industries
CA Shopify; Shopify International; Shopify Inc | Shop Pay; Tictail; Oberlo; Dovetale; Checkout Blocks; Shopify Payments; Molly; Handshake; Tiny Hearts
CA Loblaw; Loblaws; Loblaw Companies; Loblaws Inc | Shoppers Drug Mart; No Frills; Joe Fresh; President's Choice; Real Canadian Superstore; PC Financial; Pharmaprix; PC Optimum; Maxi
ZA Naspers; Prosus; MIH | Takealot; OLX; PayU; Mr D; Superbalist; Property24; AutoTrader SA; iFood; Just Eat Takeaway | @naspers.com prosus.com
NL Just Eat Takeaway; Takeaway.com; Just Eat Takeaway.com; Takeaway.com Group; Just Eat; JET | Lieferando; Thuisbezorgd; Thuisbezorgd.nl; Menulog; SkipTheDishes; yd.yourdelivery; Pyszne.pl; 10bis; Just Eat Spain | @justeattakeaway.com takeaway.com just-eat.co.uk lieferando.de thuisbezorgd.nl
ZA Standard Bank; Standard Bank Group; The Standard Bank of South Africa; Standard Bank of South Africa | Stanbic Bank; Liberty Holdings; Stanbic IBTC; Stanbic; Liberty Group; OneFarm; Standard Insurance; Melville Douglas; SBG Securities | @standardbank.co.za standardbank.com | !Standard Chartered; Standard Bank & Trust; Standard Bank AG; Standard Bank PaSB
NG Jumia; Jumia Technologies; Africa Internet Holding; ECART Services; Ecart Services | JumiaPay; Jumia Food; Ecart Internet; Zando; Jumia Egypt; ECART Internet Services; Kaymu; Jumia Logistics; Hellopay Africa | @jumia.com jumia.com.ng jumia.com.eg
US Delta Faucet; Delta Faucet Company | Brizo; Peerless | @deltafaucet.com
US NIQ; NielsenIQ; Nielsen Consumer | GfK; GfK SE; Foxintelligence; CGA; Label Insight; Precima | @nielseniq.com niq.com
US Lilly Pulitzer; Oxford Industries; Sugartown Worldwide | Tommy Bahama; Johnny Was; Southern Tide; Duck Head | @lillypulitzer.com oxfordinc.com
US Stanley 1913; PMI Worldwide; Pacific Market International | Aladdin PMI | @stanley1913.com
US Wish; ContextLogic | Geek | @wish.com
US Columbia; Columbia Sportswear; Columbia Sportswear Company; Columbia Sportswear International | SOREL; Mountain Hardwear; prAna; Montrail; Columbia Brands; Columbia Sportswear Netherlands | @columbia.com columbiasportswear.com | !Columbia University; Columbia Pictures; Columbia Bank; Columbia Records
US Miro; RealtimeBoard; Miro AI | Uizard; Freehand | @miro.com | !Fundació Joan Miró; Joan Miró; Miro Hristov; Miro Forestry
US Gusto; Gusto Inc; ZenPayroll | Symmetry Software; Ardius; RemoteTeam; Guideline | @gusto.com | !Con Gusto; Gusto Pizza; Di Gusto; Gusto Organic
US Toast; Toast Inc | Sling; xtraCHEF; Delphi Display; StratEx | @toasttab.com | !Toast Ale; Burnt Toast; Toast Kids; Toast Wines
`;
