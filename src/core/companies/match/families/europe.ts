/** Families of companies (`parseFamilies`). */
export const familiesEurope = `
DE adidas; adidas International; adidas International Trading | Reebok Deutschland; Five Ten; Runtastic; adidas Runtastic
DE ALDI SÜD; ALDI SÜD Dienstleistungs; ALDI SÜD KG; Aldi Süd; ALDI International Services | Hofer KG; ALDI SUISSE; Aldi Stores; Aldi Inc; Hofer Kommanditgesellschaft | @aldi-sued.de aldi.us hofer.at | !ALDI Nord; Aldi Einkauf
DE ALDI Nord; Aldi Einkauf; ALDI Nord Stiftung; Aldi Nord Deutschland | Trader Joe's; Aldi Marché; Aldi Supermercados; Aldi Portugal | @aldi-nord.de | !ALDI SÜD; Aldi Süd
DE Aldi | ALDI SÜD; ALDI Nord; ALDI Einkauf; Hofer KG; ALDI SUISSE; Aldi Stores; Aldi Inc | @aldi.com | !ALDImobilien
DE Allianz; Allianz Versicherungs | PIMCO; AllSecur; Euler Hermes; Allianz Trade; Allianz Partners; AWP P&C; Mondial Assistance | !Allianz Arena; Allianz Field; Allianz Riviera
DE Axel Springer; Axel Springer SE | Bild; Die Welt; WeltN24; Business Insider; Politico; Idealo; idealo internet
DE BASF; Badische Anilin | BASF Coatings; Chemetall; Glasurit; Wintershall; BASF Agricultural; Nunhems; trinamiX
DE Bayer; Bayer Vital; Bayer CropScience | Monsanto; Aspirin; Bepanthen; Claritin; Alka-Seltzer; One A Day; Schering Deutschland | !Bayernwerk; Bayer Leverkusen; Bayer 04
DE Beiersdorf; Beiersdorf Hautpflege | Nivea; Eucerin; La Prairie; Hansaplast; Labello; Coppertone; Elastoplast
DE Bertelsmann; Bertelsmann SE | RTL; RTL Deutschland; Penguin Random House; BMG Rights; Arvato; Gruner + Jahr; Fremantle
DE BMW; Bayerische Motoren Werke; BMW Bank; BMW Group | MINI; Rolls-Royce Motor Cars; Alphabet Fuhrparkmanagement; Alphabet International; Alphabet (GB); BMW Motorrad; ALPINA | !BMW Welt Restaurant; BMW Niederlassung Partner
DE Boehringer Ingelheim; C.H. Boehringer | Boehringer Ingelheim Pharma; Boehringer Ingelheim Vetmedica; Merial; Thomae; Labor L+S
DE Bosch; Robert Bosch; Bosch Thermotechnik; Bosch Siemens Hausgeräte | BSH Hausgeräte; BSH Electrodomésticos; BSH Home Appliances; Buderus; Dremel; Worcester Bosch; Rexroth | !Hieronymus Bosch; Bosch Car Service; Bosch Tiernahrung
DE Ceconomy; Media-Saturn; MediaMarktSaturn; Media Markt; MediaMarkt; MMS E-Commerce | Saturn; MediaWorld; Mediamarket S.p.A.; Media Saturn Holding; Media World; MMS Online; Saturn Online | @mediamarkt.de ceconomy.de
DE Continental; Continental AG; Continental Reifen; Continental Tires | Uniroyal Reifen; Semperit; Barum; Barum Continental; VDO; Vergölst; Matador Rubber | @continental.com conti.de continental-reifen.de continental-tires.com | !Continental Airlines; Continental Resources; Continental Building
DE Commerzbank; Commerz | comdirect; Commerz Real; CommerzVentures; mBank; Commerz Finanz | !Commerce Bank
DE Daimler Truck | Freightliner; Detroit Diesel; Western Star; Mitsubishi Fuso; Setra; EvoBus; BharatBenz
DE Delivery Hero | Foodpanda; Glovo; Talabat; PedidosYa; Baemin; Yemeksepeti; HungerStation | @deliveryhero.com
DE Deutsche Bahn; DB Fernverkehr; DB Vertrieb; DB Regio; DB Netz; DB Mobility | DB Schenker; S-Bahn Berlin; Arriva; Ameropa; DB Cargo; DB Connect; Flinkster | @bahn.de deutschebahn.com
DE Deutsche Bank; Deutsche Bank AG; DB Privat- und Firmenkundenbank | Postbank; DWS; norisbank; BHW; FinanzBuddha; DB Privat; BHW Bausparkasse | @db.com deutsche-bank.de
DE DHL; DHL Group; Deutsche Post; Deutsche Post AG; Deutsche Post DHL; DHL Paket | StreetScooter; Danzas; Blue Dart Express; Exel; UK Mail; DHL eCommerce; DHL Parcel | @dhl.com dhl.de deutschepost.de
DE Deutsche Telekom; Telekom Deutschland; T-Mobile International; Telekom | T-Systems; congstar; Telekom Deutschland GmbH; Hrvatski Telekom; Magyar Telekom; Slovak Telekom; Cosmote | @telekom.de telekom.com
DE dm; dm-drogerie markt; dm drogerie markt | Balea; dmBio; dm-markt | @dm.de
DE Dr. Oetker; August Oetker; Oetker; Dr. August Oetker | Henkell; Radeberger; Bankhaus Lampe; flaschenpost; Coppenrath & Wiese; Henkell Freixenet; Freixenet | @oetker.de oetker.com
DE E.ON; E.ON Energie; E.ON SE | innogy; Westnetz; Avacon; Bayernwerk; Lechwerke; eprimo; npower | @eon.de eon.com
DE Edeka; EDEKA Zentrale; EDEKA Handelsgesellschaft; EDEKA-Markt | Netto Marken-Discount; Marktkauf; NP Discount; Budnikowsky; EDEKABANK; Netto Marken Discount; Gut & Günstig
DE EnBW; EnBW Energie Baden-Württemberg; Energie Baden-Württemberg | Yello Strom; Netze BW; NetCom BW; Plusnet; ODR; Yello; Erdgas Südwest
DE Evonik; Evonik Industries; Evonik Operations; Degussa | PeroxyChem; RohMax; JJ-Degussa | !Degussa Goldhandel; Degussa Bank
DE Fresenius; Fresenius SE; Fresenius Kabi | Helios Kliniken; Fresenius Medical Care; Quirónsalud; Vamed; Helios Klinikum; Quirón; Kabi
DE Haribo; Hans Riegel Bonn; HARIBO Holding | MAOAM; Edmund Münster; Ricqlès; Haribo Ricqles Zan
DE Heidelberg Materials; HeidelbergCement; Heidelberger Zement | Hanson; Lehigh Hanson; Italcementi; Castle Cement; Lehigh; Górażdże Cement; Duna-Dráva Cement
DE Henkel; Henkel AG; Henkel Corporation | Schwarzkopf; Persil; Loctite; Pattex; Pritt; Dial Corporation; The Dial Corporation | !Henkelmann; Henkell; Henkel Harris
DE HUGO BOSS; Boss; BOSS Hugo Boss; Hugo Boss Trade Mark | Hugo Boss Benelux; HUGO BOSS Fashions; Hugo Boss International Markets | !Boss Coffee; Boss Revolution; Boss Laser
DE Infineon; Infineon Technologies | Cypress Semiconductor; International Rectifier; Siltectra; GaN Systems; Imagimob; IR
DE KION; KION Group | Linde Material Handling; STILL; Dematic; Baoli; Fenwick-Linde; Linde Fördertechnik; STILL GmbH
DE Lidl; Lidl Stiftung; Lidl Digital; Lidl Dienstleistung; Lidl International; Lidl E-Commerce | Silvercrest; Parkside; Lidl Plus; Lidl Connect; Lidl Reisen | @lidl.de lidl.com
DE Schwarz Gruppe; Schwarz Group; Schwarz Dienstleistung; Schwarz IT; Schwarz Beteiligungs; Schwarz Unternehmenskommunikation | Lidl; Kaufland; PreZero; STACKIT; XM Cyber; Bonback; MEG | @schwarz-gruppe.com gruppe.schwarz
DE Kaufland; Kaufland Dienstleistung; Kaufland e-commerce; Kaufland Stiftung; Kaufland Warenhandel | K-Classic; real.de; Kaufland Polska Markety
DE Lufthansa; Deutsche Lufthansa; Lufthansa Group | SWISS; Swiss International Air Lines; Austrian Airlines; Eurowings; Brussels Airlines; Germanwings; Discover Airlines
DE Mercedes-Benz; Daimler; Mercedes-Benz Group; Mercedes Benz; Daimler AG; Mercedes-Benz AG | smart; AMG; Mercedes-AMG; Mercedes-Benz Bank; Athlon; Maybach; Mercedes-Benz Mobility | @mercedes-benz.com mercedes-benz.de | !Mercedes Homes; Mercedes Gonzalez; Mercedes-Benz Stadium
DE Merck; Merck KGaA; E. Merck; Merck Group; Merck Healthcare; Merck Life Science | Sigma-Aldrich; MilliporeSigma; EMD Serono; EMD Millipore; EMD Performance Materials; Millipore; Versum Materials | @merckgroup.com emdgroup.com sigmaaldrich.com | !Merck & Co; Merck Sharp; Merck, Sharp; Merck Animal; Merck Finck; Merck and Co; Merck & Co.; Merck Selbstmedikation
DE Metro; METRO AG; Metro Cash & Carry; METRO Deutschland | Makro; Rungis Express; Classic Fine Foods; METRO Markets; Pro à Pro; Makro Cash & Carry; Metro Cash and Carry | @metro.de metroag.de | !Metro Bank; Metro Inc; Metro by T-Mobile
DE Munich Re; Münchener Rückversicherungs-Gesellschaft; Münchener Rück; Munich Reinsurance; Munich Reinsurance America | ERGO; ERGO Versicherung; ERGO Group; DKV; D.A.S.; ERV; ERGO Direkt | @munichre.com
DE Otto; Otto Group; OTTO GmbH; Otto (GmbH & Co KG); Otto GmbH & Co KGaA | bonprix; Witt; Hermes; Baur Versand; EOS; Crate & Barrel; Crate and Barrel; Freemans; Limango; myToys; Manufactum; Frankonia; Heine; OTTO Austria; Sheego; UNITO; Quelle; Hanseatic Bank; Lascana; Hermes Germany; Josef Witt; Schwab Versand | @otto.de ottogroup.com | !Otto Bock; Ottobock; Otto Dix; Otto Wilde; Otto Brandt; Otto Fuchs; Otto's AG; Otto Kern
DE ProSiebenSat.1; ProSiebenSat.1 Media; Seven.One Entertainment; ProSieben | Parship; ElitePartner; Verivox; Flaconi; Joyn; Jochen Schweizer; mydays
DE Puma; PUMA SE; PUMA Europe | Cobra Golf; COBRA PUMA Golf; stichd; PUMA United | !Puma Energy; Puma Biotechnology; Puma AG Rüsselsheim
DE REWE; REWE Group; REWE Markt; REWE-Zentralfinanz; REWE Digital; REWE-ZENTRALFINANZ | Penny; toom Baumarkt; DERTOUR; BILLA; ITS Reisen; Jahn Reisen; Lekkerland; BIPA; Meiers Weltreisen; Kuoni; Penny Markt; DER Touristik; nahkauf; clevertours; toom; Adeg; PENNY Market; BILLA Česká; Apollo Rejser; Apollo Travel; DER Touristik Suisse; Exim Tours
DE RWE; RWE AG; RWE Power; RWE Renewables; RWE Supply & Trading; RWE Generation | RWE Clean Energy; Con Edison Clean Energy; Nordsee One
DE SAP; SAP SE; SAP America | Concur; SAP Concur; SuccessFactors; Ariba; Signavio; LeanIX; WalkMe | !Sap Consulting; SAP Center; S.A.P.
DE Siemens; Siemens AG; Siemens Aktiengesellschaft; Siemens Industry | Siemens Healthineers; Mentor Graphics; Altair; Mendix; Siemens Mobility; Brightly Software; Building Robotics | !Siemens Energy; Siemens Gamesa; Siemens Hausgeräte
DE Siemens Energy; Siemens Gamesa; Siemens Gamesa Renewable Energy; Siemens Energy Global | Dresser-Rand; Trench Group; Gamesa; Siemens Gas and Power; Adwen; Siemens Energia
DE Siemens Healthineers; Siemens Healthcare; Siemens Medical Solutions | Varian Medical; Varian Medical Systems; Corindus; ECG Management; Siemens Healthcare Diagnostics
DE TUI; TUI AG; TUI Deutschland; TUI Group; TUI UK; TUI Travel | TUIfly; First Choice; Robinson Club; ltur; L'TUR; airtours; Musement | !Tui Shine; Tui Brewery; Tui Billabong
DE Volkswagen; VW; Volkswagen AG; Volkswagen Group; Volkswagen Konzern; VW Credit | MOIA; CARIAD; Volkswagen Nutzfahrzeuge; Elli; PowerCo; EURO-Leasing; Volkswagen Leasing; Volkswagen Finance; Das WeltAuto; VWFS; Electrify America; VW Group; Autostadt; WeShare; Volkswagen Infotainment; VW Nutzfahrzeuge | @volkswagen.de volkswagen.com vw.com volkswagen-group.com | !Volkswagen Zentrum; Volkswagen Automobile Partner; Volkswagen Arena; Volkswagen Classic Parts Club; Volkswagenstiftung; VW Partner
DE Audi; AUDI AG | Ducati; quattro GmbH; Lamborghini; Italdesign; Audi Business Innovation; Bentley; Audi Sport | !Audi Zentrum; Audi Private Bank; Saudi
DE Porsche; Dr. Ing. h.c. F. Porsche; Porsche AG; Dr. Ing. h.c. F. Porsche Aktiengesellschaft; Porsche Cars | Porsche Design; MHP; Porsche Digital; Porsche Engineering; Porsche Financial; Porsche Leasing; Cetitec | !Porsche Zentrum; Porsche Holding; Porsche Inter Auto
DE Traton; MAN; MAN Truck & Bus; TRATON SE; MAN Nutzfahrzeuge | Scania; Scania CV; International Motors; Navistar; NEOPLAN; Volkswagen Caminhões; Navistar International | @man.eu traton.com | !MAN Energy Solutions; Man Group; Mega MAN
DE Vonovia; Vonovia SE | Deutsche Wohnen; BUWOG; Gagfah; Deutsche Annington; Victoriahem; Conwert; Hembla
DE Zalando; Zalando Operations; Zalando Lounge; Zalando Payments; Zalando Outlets | About You; Highsnobiety; Tradebyte; anatwine; Zalando Marketing; Fision; Nugg.ad | @zalando.de zalando.com
DE ZF; ZF Friedrichshafen | Wabco; Sachs; TRW; Lemförder; TRW Automotive; ZF Aftermarket; Lenksysteme
DE Aral; Aral AG; Aral Aktiengesellschaft; BP Europa | Aral pulse; Aral Tankstelle
DE Bauhaus; BAUHAUS Gesellschaft für Bau- und Hausbedarf; BAHAG | Bahag AG; Nautic | @bauhaus.info | !Bauhaus-Universität; Stiftung Bauhaus; Bauhaus Dessau
DE Tengelmann; Tengelmann Group | OBI; KiK; Tedi; Babymarkt; OBI Group; KiK Textilien; OBI E-Commerce
DE OBI; OBI Group; OBI E-Commerce; OBI Bau- und Heimwerkermärkte; OBI GmbH & Co. Deutschland | Lux Tools; heyOBI; OBI Next | !Obi Worldphone; Obi-Wan; OBI Fahrschule
DE Fressnapf; Maxi Zoo; Fressnapf Tiernahrungs; Fressnapf Holding | Arcaplanet; Agrifarma; Maxi Zoo France; Maxizoo; Dr. SAM
DE United Internet | 1&1; GMX; WEB.DE; IONOS; STRATO; Fasthosts; mail.com
DE 1&1; 1&1 Telecom; 1&1 Mobilfunk; 1&1 Versatel; 1&1 AG; 1 & 1 | Drillisch; Drillisch Online; smartmobil.de; winSIM; yourfone; WEB.DE; GMX | @1und1.de
DE HelloFresh | Factor75; Green Chef; EveryPlate; Chefs Plate; Youfoodz; The Pets Table; Factor
DE FlixBus; Flix; Flix SE; FlixMobility; FlixTrain | Greyhound; Kamil Koç; Greyhound Lines; FlixCar; Eurolines; MeinFernbus; FlixBus DACH
DE AUTO1; AUTO1 Group; AUTO1.com | Autohero; wirkaufendeinauto.de; noicompriamoauto.it; compramostucoche.es; vendezvotrevoiture.fr; wijkopenautos.nl; wkda
DE Scout24; ImmoScout24; Immobilien Scout; ImmobilienScout24; Immobilien Scout GmbH | Flowfact; Sprengnetter; Immoverkauf24; AutoScout24; Vermietet.de; Zenhomes; bulwiengesa | !Financescout24; Scout24 Schweiz; ImmoScout24 Schweiz
DE HUK-COBURG; HUK; HUK24; Haftpflicht-Unterstützungs-Kasse; HUK-COBURG Haftpflicht-Unterstützungs-Kasse | VRK; HUK-COBURG Autowelt; pitstop; onpier
DE Sixt; Sixt SE; Sixt rent a car | SIXT share; Sixt Mobility; Sixt Franchise USA | !Sixt Kanzlei; Allane
DE C&A; C&A Mode; C&A Buying; C & A | Cofra; C&A Mode GmbH; C&A Online; C&A Modas; C&A Mode KG; Clockhouse; C and A | !C&A Plumbing; C&A Pharmacy; C&A Tool
DE Peek & Cloppenburg; P&C; Peek & Cloppenburg* | Fashion ID; VAN GRAAF; Anson's; Fashion ID GmbH; ANSON'S Herrenhaus | @peek-cloppenburg.de
DE Tchibo; Tchibo GmbH; Tchibo Direct; Maxingvest | Eduscho; Tchibo Mobilfunk; Cafissimo; TchiboSk; Piacetto
DE Melitta; Melitta Europa; Melitta Group; Melitta Haushaltsprodukte | Cofresco; Toppits; Swirl; Melitta Professional; Caffina; Swirl Beutel; Melitta Single Portions
DE Storck; August Storck; Storck Deutschland | Merci; Toffifee; nimm2; Knoppers; Werther's Original; Dickmann's; RIESEN | !Adam Storck; Storck Bicycle; Anton Storck
DE Ritter Sport; Alfred Ritter; Alfred Ritter GmbH & Co. KG | Amicelli; Ritter Sport Chocolate | @ritter-sport.de ritter-sport.com
DE Bahlsen; Bahlsen GmbH & Co. KG | Leibniz; PiCK UP!; Hans Freitag; Rawbite; Choco Leibniz; Messino; Pick Up | !Gottfried Wilhelm Leibniz Universität; Leibniz-Institut; Leibniz Universität
DE Kärcher; Alfred Kärcher | Karcher; Kärcher Center; WOMA; ProChem; Kaercher; Kärcher Futuretech; Windsor Kärcher | @kaercher.com karcher.com | !Karcher Hosting; Karcher Gebäudereinigung; Karcher Design
DE Stihl; Andreas Stihl; STIHL Vertriebszentrale | Viking GmbH; Zama; STIHL Tirol; Stihl Inc
DE Vorwerk; Vorwerk & Co; Vorwerk Deutschland | Thermomix; Kobold; Temial; Neato Robotics; akf; Vorwerk Elektrowerke; Folletto | !Vorwerk Podemus; Vorwerk Teppich; Autohaus Vorwerk
DE Miele; Miele & Cie | SteelcoBelimed; Steelco; Yujin; Otto Wilde Grillers; Imperial-Werke; MieleX; Agrilution | !Miele Guide; Miele Kundendienst; Miele d'Api
DE Viessmann; Viessmann Climate Solutions; Viessmann Werke; Viessmann Deutschland; Viessmann Group | Viessmann Kühlsysteme; KWT; Mawera; ViCare | !Viessmann Modelltechnik; Viessmann Partner
DE Vaillant; Vaillant Group; Vaillant Deutschland | Saunier Duval; Glow-worm; DemirDöküm; Bulex; AWB; Hermann Saunier Duval; Protherm | !Vaillant Arena; Couturier Vaillant; Vaillant Kundendienst
DE Würth; Adolf Würth; Adolf Würth GmbH & Co. KG; Würth Group; Würth Industrie Service | Würth Elektronik; Reca; Hahn+Kolb; Reca Norm; Fega & Schmitt; Würth Phoenix; SWG | !Wörther; Dirndl Würth; Reinhold Würth Hochschule
FR L'Oréal; L'Oreal; L'Oréal Deutschland; L'Oréal Paris; L'Oréal USA; LOREAL | Lancôme; Garnier; Maybelline; Kiehl's; La Roche-Posay; Vichy; CeraVe; Kérastase; Redken; NYX; Urban Decay; Biotherm; Helena Rubinstein; IT Cosmetics; SkinCeuticals; Matrix; Essie; Armani Beauty; Aesop; Cosmétique Active; Laboratoire Garnier; Youth to the People
FR LVMH; Moët Hennessy Louis Vuitton; LVMH Moët Hennessy Louis Vuitton; LVMH Fragrance Brands; LVMH Perfumes | Louis Vuitton; Christian Dior; Dior; Sephora; Givenchy; Parfums Givenchy; Fendi; Celine; Loewe; Kenzo; Bulgari; Bvlgari; TAG Heuer; Hublot; Zenith Watches; Tiffany; Tiffany & Co; Moët & Chandon; Hennessy; Moët Hennessy; Veuve Clicquot; Dom Pérignon
FR Kering | Gucci; Guccio Gucci; Saint Laurent; Yves Saint Laurent; Bottega Veneta; Balenciaga; Alexander McQueen; Brioni; Boucheron; Pomellato; Qeelin; Dodo; Kering Eyewear; Lindberg; Maui Jim; Autumnpaper; Ginori; Luxury Goods International; Ginori 1735; Birdswan Solutions; Luxury Goods | @kering.com
FR Hermès; Hermès International; Hermès Sellier; Hermes of Paris; Hermès GB | Puiforcat; Saint-Louis; John Lobb Bottier; La Montre Hermès; Comptoir Nouveau de la Parfumerie; Cristalleries de Saint-Louis | @hermes.com | !Hermes Germany; Hermes Parcelnet; Hermes Europe
FR Danone; Danone Nutricia; Groupe Danone | Activia; evian; Volvic; Actimel; Alpro; Nutricia; Aptamil
FR TotalEnergies; Total; Total S.A.; TotalEnergies SE; Total Direct Énergie; TotalEnergies Marketing | Direct Énergie; Hutchinson; Saft; Quadran; Total Deutschland; Elf; Lampiris | @totalenergies.com totalenergies.fr total.com | !Total Wine; Total Fitness; Total Jobs
FR Engie; GDF Suez; ENGIE SA; Electrabel | Electrabel SA; Tractebel; Storengy; GRTgaz; GRDF; Happ-e; Endel
FR EDF; Électricité de France; Electricité de France; EDF Energy | Edison; Edison Energia; Dalkia; Enedis; Sowee; Izi by EDF; Framatome
FR Carrefour; Carrefour Hypermarchés; Centros Comerciales Carrefour; Carrefour Banque; Carrefour Property | Atacadão; Supeco; Potager City; Quitoque; Cora; Match Supermarchés; Atacadao | !Hôtel du Carrefour; Boulangerie du Carrefour; Carrefour Laval
FR Auchan; ELO; Auchan Hypermarché; Auchan Retail; Auchan Supermarché; Auchan Retail International | Alcampo; Nhood; Aushopping; Simply Market; Auchan Romania; Auchan Polska; Chronodrive
FR Adeo; Groupe Adeo; ADEO Services | Leroy Merlin; Bricoman; Weldom; Zôdio; Saint-Maclou; Obramat; Aki
FR Decathlon; Décathlon; Decathlon SE | Quechua; Domyos; Kalenji; Btwin; B'Twin; Van Rysel; Kipsta
FR Fnac Darty; Fnac; Darty; FNAC Direct; Établissements Darty; Fnac Darty Participations | Nature & Découvertes; Vanden Borre; WeFix; Unieuro; Establissements Darty; France Billet; Fnac España
FR Orange; France Télécom; France Telecom; Orange S.A.; Orange Bank; Orange Espagne | Sosh; Jazztel; Mobistar; Nju Mobile; Viaccess; Simyo Spain; Telekomunikacja Polska | @orange.com orange.fr orange.es orange.pl orange.be orange.ro orange.sk | !Orange County; Orangetheory; Orange Theory; Orange Bank & Trust; Orange Coast; Agent Orange; Orange Julius; Orange Lake
FR Renault; Renault Group; Renault SAS; Groupe Renault; Renault Deutschland; Renault Retail Group | Dacia; Alpine; Mobilize; RCI Banque; Mobilize Financial Services; RCI; Ampere | @renault.fr renault.com renaultgroup.com | !Renault Trucks; Garage Renault; Renault Saint
FR Stellantis; PSA; Groupe PSA; Fiat Chrysler; Fiat Chrysler Automobiles; FCA | Peugeot; Citroën; Automobiles Citroën; Automobiles Peugeot; DS Automobiles; Opel; Opel Automobile; Vauxhall; Vauxhall Motors; Fiat; Alfa Romeo; Jeep; Chrysler; Dodge; Ram Trucks; Lancia; Abarth; Maserati; Free2Move; Leasys; Mopar; Opel España | @stellantis.com
FR Michelin; Manufacture Française des Pneumatiques Michelin; Compagnie Générale des Établissements Michelin; Michelin Reifenwerke; MFP Michelin; CGEM | BFGoodrich; Kleber; Euromaster; Tyredating; BookaTable; Kormoran; Riken | !Michelin House; Michelin Star Restaurant; Garage Michelin
FR Société Générale; Societe Generale; SG; Crédit du Nord | Boursorama; BoursoBank; Ayvens; ALD Automotive; LeasePlan; Franfinance; Sogessur | @societegenerale.com societegenerale.fr sg.fr | !Société Générale de Surveillance; Société Générale de Belgique; Societe Generale de Banques
FR BNP Paribas; BNP; Banque Nationale de Paris; BNP Paribas Personal Finance; BNP Paribas Real Estate | Cetelem; Hello bank!; Cardif; Arval; BNL; Banca Nazionale del Lavoro; Fortis; BGL; Consorsbank; BGŻ; Nickel; Cortal Consors; Floa; Findomestic; Arval Service Lease; TEB; Türk Ekonomi Bankası; Cardif Assurances; BNP Paribas Cardif; Findomestic Banca; Cofica; Banco Cetelem
FR Crédit Agricole; Credit Agricole; CA; Caisse Régionale de Crédit Agricole Mutuel; Crédit Agricole S.A. | LCL; Le Crédit Lyonnais; Amundi; Sofinco; Crédit Agricole Consumer Finance; Crédit Agricole Assurances; Pacifica; Predica; CACEIS; Indosuez; BforBank; CreditPlus; Agos Ducato; Credibom; Crédit Lyonnais; CPR Asset; Cariparma; Uniclics; Agos; Creditplus Bank; Square Habitat; Degroof Petercam
FR BPCE; Groupe BPCE; Banque Populaire; Caisse d'Epargne; Caisse d'Épargne | Natixis; Oney; Crédit Foncier; Natixis Investment; Banque Palatine; Casden; Payplug | @groupebpce.com banquepopulaire.fr caisse-epargne.fr
FR AXA; AXA Versicherung; AXA France; AXA Assicurazioni; AXA Insurance | AXA Partners; Inter Partner Assistance; Direct Assurance; AXA XL; Maxis; AXA Winterthur; XL Catlin | !AXA Investment Managers; AXA Power; Axalta
FR Accor; AccorHotels; Accor SA; AccorInvest; Accor Hotels | Ibis; Novotel; Mercure; Sofitel; Pullman; Fairmont; Raffles | !Accord; Accordion
FR Sanofi; Sanofi-Aventis; Sanofi Pasteur; Sanofi Winthrop; Sanofi Aventis | Genzyme; Opella; Doliprane; Aventis; Chattem; Sanofi Genzyme; Dupixent
FR Saint-Gobain; Compagnie de Saint-Gobain; Saint-Gobain Glass | Isover; Weber; Placo; Point.P; Rigips; CertainTeed; Gyproc
FR Schneider Electric; Schneider; Schneider Electric Industries | APC; American Power Conversion; AVEVA; Merlin Gerin; Square D; Telemecanique; Clipsal | @se.com schneider-electric.com | !Romy Schneider; Schneider National; Schneider Optical
FR Pernod Ricard; Pernod; Ricard; Pernod Ricard Deutschland; Pernod Ricard USA | Absolut; The Absolut Company; Jameson; Irish Distillers; Chivas Brothers; Chivas Regal; Havana Club
FR Bouygues; Bouygues SA | Bouygues Telecom; TF1; Bouygues Immobilier; Bouygues Construction; Colas; Equans; B&You | @bouygues.com
FR Iliad; Free; Free Mobile; Iliad Italia; Groupe Iliad | Scaleway; P4 sp; Play; Jaguar Network; Online SAS; Free Pro; UPC Polska | @iliad.fr free.fr | !Free People; Free Now; Free the People
FR Vivendi; Canal+; Groupe Canal+; Canal Plus; Lagardère; Hachette | MultiChoice; Studiocanal; Dailymotion; Prisma Media; MyCanal; Gameloft; Relay | @vivendi.com canalplus.com canalplusgroup.com
FR Veolia; Veolia Environnement | Suez; Sarpi; Veolia Wasser; Veolia Water; BraunSteel; Suez Eau; Braunschweiger Versorgungs
FR La Poste; Groupe La Poste | Chronopost; Colissimo; La Banque Postale; Geopost; DPD; DPD Deutschland; Docaposte | @laposte.fr groupelaposte.com | !Hotel de la Poste; Hôtel de La Poste; Café de la Poste
FR SNCF; SNCF Voyageurs; SNCF Connect; SNCF Mobilités; Société nationale SNCF; Société Nationale des Chemins de fer Français | Ouigo; TGV INOUI; Keolis; Geodis; Oui.sncf; Voyages-sncf; Eurostar
FR Yves Rocher; Groupe Rocher; Laboratoires de Biologie Végétale Yves Rocher | Petit Bateau; Dr Pierre Ricaud; Daniel Jouvance; Stanhome; Arbonne; Kiotis; Sabon
FR Ubisoft; Ubisoft Entertainment | Massive Entertainment; Blue Byte; Nadeo; Ketchapp; Assassin's Creed; Blue Mammoth; Red Storm
FR Veepee; vente-privee; Vente-Privee.com; vente-privee.com; Veepee.com | Privalia; vente-exclusive; Vente Exclusive; Zlotewyprzedaze; Designers & Friends; eboutic.ch; The Bradery | @veepee.fr veepee.com vente-privee.com
FR leboncoin; LBC France; Le Bon Coin; Adevinta France | Paycar; A Vendre A Louer; L'Argus; Locasun; Videdressing; Agriaffaires; MB Diffusion | @leboncoin.fr | !Le Bon Coin Restaurant; Au Bon Coin; Bon Coin Immobilier
FR Lactalis; Groupe Lactalis; Lactalis International | Président; Galbani; Parmalat; Bridel; Lactel; Stonyfield; Siggi's
FR Bel; Groupe Bel; Fromageries Bel; Bel Deutschland; Bel UK | Babybel; The Laughing Cow; La Vache qui rit; Boursin; Kiri; GoGo squeeZ; Pom'Potes | @groupe-bel.com | !Bel Air; Bel Fuse; Bel Canto
GB Unilever; Unilever Deutschland; Conopco; Unilever Supply Chain; Unilever Global IP | Dove; Axe; Lynx; Knorr; Hellmann's; Magnum; Ben & Jerry's; Langnese; Rexona; Sure Deodorant; Persil UK; Omo; Surf; Cif; Domestos; Comfort; TRESemmé; Vaseline; Dermalogica; Paula's Choice; Liquid I.V.; Nutrafol
GB Reckitt; Reckitt Benckiser; RB; Reckitt Benckiser Group; RB UK; RB Hygiene Home | Durex; Dettol; Lysol; Nurofen; Strepsils; Gaviscon; Finish | @reckitt.com rb.com
GB Diageo; Diageo Brands; Diageo Great Britain; Diageo North America | Guinness; Johnnie Walker; Smirnoff; Baileys; Captain Morgan; Tanqueray; Don Julio
GB BP; BP plc; BP Oil; BP America; BP Products; BP International | Castrol; Aral; Amoco; ampm; Lightsource bp; bp pulse; TravelCenters of America | @bp.com | !BP Collins; BP Castrol Dealer; BP Premier
GB Shell; Shell plc; Royal Dutch Shell; Shell International; Shell Deutschland; Shell Energy | Pennzoil; Jiffy Lube; Quaker State; NewMotion; euroShell; Sonnen; sonnen GmbH | @shell.com shell.de | !Shell Vacations; Shell Beach; Shell Point; Royal Shell; Shell Federal; Shell Shock; Shell Lumber; Shell Rummel
GB HSBC; HSBC Bank; HSBC Holdings; The Hongkong and Shanghai Banking Corporation; Hongkong and Shanghai Banking; HSBC UK | First Direct; Hang Seng; M&S Bank; Hang Seng Bank; Marks & Spencer Financial; HSBC Trinkaus; Midland Bank
GB Barclays; Barclays Bank; Barclays Bank UK; Barclaycard; Barclays Bank Delaware | Barclaycard Germany; Tesco Bank; Kensington Mortgages; Barclays Capital; Barclays Execution; Smart Investor; Barclays Partner Finance | !Barclays Center; Barclays Premier; Barclays Wealth Estate
GB Lloyds; Lloyds Bank; Lloyds Banking Group; Lloyds TSB; Lloyds Bank plc | Halifax; Bank of Scotland; Scottish Widows; MBNA; Lex Autolease; Black Horse; AMC | @lloydsbank.com lloydsbankinggroup.com | !Lloyd's of London; Lloyds Pharmacy; Lloyds Register
GB NatWest; NatWest Group; National Westminster Bank; Royal Bank of Scotland; RBS; The Royal Bank of Scotland | Ulster Bank; Coutts; Mettle; Lombard; Rooster Money; Tyl; RBS International
GB Tesco; Tesco Stores; Tesco Mobile; Tesco Ireland | Booker; dunnhumby; Clubcard; One Stop; Booker Group; Tesco Insurance; F&F
GB Sainsbury's; J Sainsbury; Sainsbury's Supermarkets | Argos; Habitat UK; Nectar; Tu Clothing; Nectar 360; Sainsbury's Bank; Nectar360 | @sainsburys.co.uk | !Sainsbury Wellcome; Gatsby; Sainsbury Centre
GB Vodafone; Vodafone Group; Vodafone Limited; Vodafone Sales & Services; Vodafone Deutschland | otelo; Kabel Deutschland; Unitymedia; VOXI; Lebara; Vodacom; ho. mobile | !Vodafone Idea; Vodafone Shop; Vodafone Store Partner
GB BT; British Telecom; British Telecommunications; BT Group; BT plc | EE; Openreach; Plusnet; EE Limited; BT Business; BT Wholesale; Everything Everywhere | @bt.com | !BT Investments; Plusnet GmbH; BT Australasia Fund
GB Associated British Foods; ABF | Primark; Twinings; Silver Spoon; Ovaltine; Kingsmill; Ryvita; Patak's
GB GSK; GlaxoSmithKline; Glaxo; Glaxo Wellcome; GlaxoSmithKline UK | ViiV Healthcare; Shingrix; Stiefel; Bellus Health; Sierra Oncology; Tesaro; Affinivax | @gsk.com | !GSK Finance; GSK Stahl; GSK Bau
GB Haleon; GSK Consumer Healthcare; GlaxoSmithKline Consumer Healthcare; Haleon Germany; Haleon UK | Sensodyne; Voltaren; Centrum; Panadol; Advil; Parodontax; Theraflu
GB AstraZeneca; Astra Zeneca; Astra Tech | Alexion; MedImmune; Farxiga; Tagrisso; Acerta; Imfinzi; Alexion Pharmaceuticals
GB Compass Group; Compass; Compass Contract Services; Compass Group USA; Eurest; Compass Group UK | Levy Restaurants; Bon Appétit Management; Chartwells; Foodbuy; Canteen; Morrison Healthcare; Crothall | @compass-group.com | !Compass Minerals; Compass Real Estate; Compass, Inc.
GB Rolls-Royce; Rolls-Royce Holdings; Rolls-Royce plc; Rolls Royce; Rolls-Royce Power Systems; Rolls-Royce Deutschland | MTU Friedrichshafen; mtu; MTU Onsite; R-R SMR; Rolls-Royce Solutions; Rolls-Royce Electrical; Tognum | @rolls-royce.com | !Rolls-Royce Motor Cars; Rolls-Royce Hire; MTU Aero
GB JD Sports; JD Sports Fashion; John David; JD Sports Fashion Germany; JD Sports Fashion SAS | size?; Footpatrol; Finish Line; JD Gyms; Go Outdoors; Blacks; Millets
GB Frasers; Frasers Group; Sports Direct; SportsDirect.com; Sports Direct International; Sportsdirect.com Retail | House of Fraser; Flannels; Jack Wills; GAME Retail; Evans Cycles; Slazenger; Lonsdale
GB M&S; Marks & Spencer; Marks and Spencer; Marks & Spencer plc; M and S | Ocado Retail; Jaeger; Gist; Per Una; Autograph; Sparks; St Michael | @marksandspencer.com | !Marks & Clerk; M&S Supply; M.S. Dental
GB Next; Next Retail; Next Holdings; NEXT plc; Next Germany; Next Directory | Lipsy; Reiss; FatFace; Joules; Victoria's Secret UK; Cath Kidston; JoJo Maman Bébé | @next.co.uk | !Next Day; Next Level; NextEra; Next Step; Next Generation; Next Insurance; Next Health; NextGen
GB Kingfisher; Kingfisher plc; Kingfisher Information Technology | B&Q; Screwfix; Castorama; Brico Dépôt; TradePoint; GoodHome; Brico Depot | @kingfisher.com | !Kingfisher Airlines; Kingfisher Beer; Kingfisher Tours
GB IAG; International Airlines Group; International Consolidated Airlines; International Consolidated Airlines Group | British Airways; Iberia; Vueling; Aer Lingus; LEVEL; Avios; IAG Loyalty | @iairgroup.com | !Insurance Australia; IAG New Zealand; IAG Iranian
GB IHG; InterContinental Hotels Group; InterContinental Hotels; IHG Hotels; Six Continents; Holiday Hospitality | Holiday Inn; Holiday Inn Express; Crowne Plaza; Kimpton; Staybridge Suites; Candlewood Suites; Hotel Indigo | @ihg.com | !Intercontinental Exchange; Continental Hotel; InterContinental Life
GB Dyson; Dyson Limited; Dyson Technology; Dyson Direct; Dyson Canada; Dyson Exchange | Dyson Airblade; Dyson Supersonic | !Freeman Dyson; Dyson Diecastings; Dyson Medical
GB WPP; WPP plc; WPP Media; GroupM; WPP 2005 | Mindshare; Wavemaker; EssenceMediacom; MediaCom; Essence; Ogilvy; VML
NL Philips; Koninklijke Philips; Philips Consumer Lifestyle; Philips Electronics; Royal Philips; Philips Healthcare | Sonicare; Avent; Respironics; OneBlade; Norelco; Wisp; Volcano Corporation | @philips.com philips.de philips.nl | !Philips Lighting; Phillips 66; Phillips Auctioneers
NL Ahold Delhaize; Koninklijke Ahold Delhaize; Ahold; Delhaize; Ahold Delhaize Licensing | Albert Heijn; bol; bol.com; Gall & Gall; Etos; Food Lion; Stop & Shop | @aholddelhaize.com
NL ING; ING Bank; ING Groep; ING-DiBa; ING Belgium; ING Bank N.V. | ING DiBa; ING Australia; Interhyp; ING Lease; Yolt; ING Bank Śląski; ING Commercial | @ing.com ing.de ing.nl ing.be ing.es | !ING Engenharia; IngSOC; Ing. Büro
NL Heineken; Heineken Nederland; Heineken International; Heineken Brouwerijen; Heineken Supply Chain; Heineken UK | Amstel; Desperados; Tiger Beer; Birra Moretti; Sol; Strongbow; Affligem
NL Randstad; Randstad N.V.; Randstad Holding; Randstad Deutschland; Randstad Nederland; Randstad Groep | Monster.com; Monster Worldwide; Tempo-Team; Yacht; Ausy; Spherion; GULP
NL Rituals; Rituals Cosmetics; Rituals Cosmetics Enterprise | Rituals Cosmetics Germany | !Ritual Yoga; Daily Rituals; Ritual Wellness
NL Booking.com; Booking; Booking.com Deutschland; Booking.com Transport | Rentalcars.com; TravelJigsaw; Booking.com Customer Service; Villas.com; BookingSuite; Booking.com International; Rentalcars | @booking.com | !Booking Buddy; Booking Agent; Bookings
BE AB InBev; Anheuser-Busch InBev; Anheuser-Busch; Anheuser Busch; InBev; Anheuser-Busch Companies | Budweiser; Bud Light; Stella Artois; Corona Europe; Beck's; Leffe; Hoegaarden; Jupiler; Michelob Ultra; Ambev; Brahma; Skol; Quilmes; Franziskaner; Löwenbräu; Goose Island; Busch; Natural Light; Camden Town Brewery; ZX Ventures; Spaten; Diebels | @ab-inbev.com anheuser-busch.com | !Budějovický Budvar; Budweiser Budvar
BE Solvay; Syensqo; Solvay Specialty | Rhodia; Cytec; Solvay Chimica; Novecare; Alcotech
BE KBC; KBC Bank; KBC Groep; KBC Group; KBC Verzekeringen | ČSOB; Ceskoslovenska obchodna banka; K&H Bank; CBC Banque; UBB; United Bulgarian Bank; DZI
BE Colruyt; Colruyt Group; Etn. Fr. Colruyt; Établissements Franz Colruyt | Collect&Go; Bio-Planet; OKay; Spar Belgium; DreamLand; Newpharma; JIMS
CH Nestlé; Nestle; Société des Produits Nestlé; Nestlé Deutschland; Nestlé Suisse; Nestrade | Nespresso; Nescafé; Dolce Gusto; KitKat; Purina; Nestlé Purina PetCare; Maggi; Thomy; Wagner Pizza; S.Pellegrino; Perrier; Vittel; Gerber; DiGiorno; Stouffer's; Garden of Life; Solgar; Nature's Bounty; Vital Proteins; Lily's Kitchen; Buitoni; Nesquik | !Nestlewood; Nestle Inn; Nestle Down; Nestlé Toll House Café
CH Roche; F. Hoffmann-La Roche; Hoffmann-La Roche; Roche Diagnostics; Roche Pharma; Roche Holding | Genentech; Chugai; Ventana; Accu-Chek; Foundation Medicine; Flatiron Health; mySugr | @roche.com | !La Roche-Posay; Roche Bobois; La Roche
CH Novartis; Novartis Pharma; Novartis Pharmaceuticals; Novartis Farma; Ciba-Geigy | Chinook Therapeutics; AveXis; Advanced Accelerator Applications; The Medicines Company; Entresto; Cosentyx; MorphoSys | !Sandoz
CH Sandoz; Sandoz International; Hexal | 1A Pharma; Lek Pharmaceuticals; EBEWE; Hexal AG; Lek; Salutas; Coherus Cimerli
CH UBS; UBS Switzerland; UBS Europe; UBS AG; UBS Financial Services; UBS Group | Credit Suisse; key4; UBS Asset Management; Credit Suisse Securities; UBS Bank USA; Bank-now; Bank Now | !UBS Arena; UBS Forums
CH Swatch; The Swatch Group; Swatch Group; Swatch AG | Omega; Longines; Tissot; Rado; Breguet; Blancpain; Harry Winston; Hamilton; Certina; Mido; Glashütte Original; Calvin Klein Watches; Jaquet Droz; Union Glashütte; Flik Flak; Balmain Watches; ETA SA; Compagnie des Montres Longines; Tourbillon; Glashütter Uhrenbetrieb; Léon Hatot; EM Microelectronic
CH Richemont; Compagnie Financière Richemont; Richemont International; Richemont Northern Europe; Richemont North America | Cartier; Van Cleef & Arpels; Montblanc; IWC; Jaeger-LeCoultre; Piaget; Vacheron Constantin; Panerai; A. Lange & Söhne; Chloé; Dunhill; Azzedine Alaïa; Buccellati; Roger Dubuis; Baume & Mercier; Peter Millar; Purdey; Delvaux; Serapian; Watchfinder; Vhernier; IWC Schaffhausen
CH Migros; Migros-Genossenschafts-Bund; Genossenschaft Migros; Migros Genossenschafts Bund; Migros Online | Denner; Digitec Galaxus; Galaxus; Migrolino; Migros Bank; Migrol; Ex Libris | @migros.ch | !Migros Ticaret; Migros Ticaret A.Ş.; Migros Türk
CH Coop; Coop Genossenschaft; Coop Schweiz; Coop Société Coopérative; Coop Società Cooperativa | Interdiscount; Fust; Dipl. Ing. Fust; Microspot; Transgourmet; Jumbo Schweiz; Import Parfumerie | @coop.ch | !Coop Danmark; Coop Sverige; Coop Norge
CH Lindt; Lindt & Sprüngli; Chocoladefabriken Lindt & Sprüngli; Lindt & Spruengli; Lindt Sprüngli | Ghirardelli; Russell Stover; Caffarel; Hofbauer; Küfferle; Whitman's; Ghirardelli Chocolate | !Confiserie Sprüngli; Lindt Immobilien; Uwe Lindt
CH Logitech; Logitech Europe | Logitech G; Ultimate Ears; ASTRO Gaming; Blue Microphones; Streamlabs; Saitek; Jaybird
CH ABB; ASEA Brown Boveri; ABB Asea Brown Boveri; ABB Schweiz; ABB Automation | Busch-Jaeger; Busch-Jaeger Elektro; Baldor; Thomas & Betts; B&R Industrial Automation; Niessen; Striebel & John | !ABB Optical; ABB Labels; ABB Bau
CH Zurich Insurance; Zurich; Zurich Versicherung; Zürich Versicherungs; Zürich Versicherungs-Gesellschaft; Zurich Insurance Group | Farmers Insurance; DA Direkt; Deutscher Herold; Orion Rechtsschutz; Cover-More; Baden-Badener Versicherung; real garant | @zurich.com zurich.de zurich.ch | !Zürich Tourismus; Flughafen Zürich; Universität Zürich
CH Holcim; LafargeHolcim; Holcim Group; Holcim (Schweiz); Holcim (Deutschland) | Lafarge; Aggregate Industries; Firestone Building Products; Elevate; Duro-Last; Malarkey; Lafarge France
AT Red Bull; Red Bull GmbH; Red Bull Deutschland; Red Bull North America; Red Bull Distribution Company; Red Bull Company | Red Bull Media House; ServusTV; AlphaTauri; Red Bull Racing; Terra Mater; The Red Bulletin; Carpe Diem
AT Raiffeisen; Raiffeisen Bank International; RBI AG; Raiffeisenbank; Raiffeisen Landesbank; Raiffeisenlandesbank | Tatra banka; Kathrein; Raiffeisen Bausparkasse; Raiffeisen Leasing; Raiffeisenbank a.s.; Raiffeisen Bank Zrt.; Raiffeisen Bank S.A. | @raiffeisen.at rbinternational.com | !Raiffeisen Waren; Raiffeisen Schweiz; Raiffeisen Markt
AT Erste; Erste Bank; Erste Group; Erste Group Bank; Erste Bank der oesterreichischen Sparkassen; Sparkasse Österreich | Česká spořitelna; Slovenská sporiteľňa; BCR; Banca Comercială Română; George; s Bausparkasse; Erste & Steiermärkische | @erstebank.at erstegroup.com sparkasse.at | !Erste Hilfe; Erste Lage; Erste Liebe
AT OMV; OMV Aktiengesellschaft; OMV Petrom; OMV AG; OMV Downstream; OMV Refining & Marketing | Petrom; Borealis; Borouge; VIVA; OMV Petrom Marketing; Avanti; SapuraOMV
AT A1; A1 Telekom Austria; Telekom Austria; A1 Group; A1 Telekom; mobilkom austria | bob; XOXO; yesss!; Vip mobile; A1 Hrvatska; A1 Slovenija; A1 Bulgaria | @a1.net a1.bg a1.hr a1.si a1.rs | !A1 Roofing; A1 Taxi; A1 Towing
AT Swarovski; D. Swarovski; Swarovski Crystal Online; Daniel Swarovski; Swarovski International; Swarovski AG | Swarovski Optik; Tyrolit; Kristallwelten; Atelier Swarovski; Swarovski-Optik; Swarovski Gems; Signity | @swarovski.com | !Swarovski Nail; Swarovski Tailors; Swarowsky
AT XXXLutz; XXXLutz KG; LUTZ; XXXL; BDSK Handels; XXXLutz Marken | Mömax; Möbelix; poco; POCO Einrichtungsmärkte; home24; LIPO; Mann Mobilia
`;
