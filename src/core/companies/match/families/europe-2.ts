/** Families of companies (`parseFamilies`). */
export const familiesEurope2 = `
DE Deichmann; Heinrich Deichmann; Heinrich Deichmann-Schuhe; Deichmann SE; Deichmann Schuhvertriebs | Roland Schuhe; Snipes; Dosenbach; Ochsner Sport; vanHaren; Van Haren; Rack Room Shoes; MyShoes; Deichmann Obuv | @deichmann.com deichmann.de
DE Douglas; Parfümerie Douglas; Douglas GmbH; Parfumerie Douglas; Douglas Marken | Nocibé; Niche Beauty; Disapo; Douglas Polska; Bodyguard Apotheke; Akzente; Limoni; La Gardenia | @douglas.de douglas-group.com | !Douglas Elliman; Douglas Aircraft; Douglas Laboratories; Douglas County; Douglas Dynamics
DE Thalia; Thalia Bücher; Thalia Bücher GmbH; Thalia Mayersche; Thalia Buch & Medien; Thalia Universitätsbuchhandlung | Mayersche; buch.de; Orell Füssli Thalia; tolino media; bol.de; Osiander | @thalia.de thalia.at | !Thalia Theater; Thalia Mara
DE Müller; Müller Handels; Müller Drogeriemarkt; MH Müller; Müller Großhandel; Müller Holding | Müller Naturshop | @mueller.de | !Müller Milch; Molkerei Alois Müller; Müller Service; Müller Reisen; Müller & Sohn; Müller Transporte
DE Molkerei Alois Müller; Unternehmensgruppe Theo Müller; Müller Milch; Theo Müller; Müller UK & Ireland | Weihenstephan; Landliebe; Homann; Homann Feinkost; Sachsenmilch; Loose; Nadler; Almighurt; Müller Wiseman; Lisner | @muellermilch.de muellergroup.com
DE Breuninger; E. Breuninger | Konen Breuninger | @breuninger.com | !Breuninger Stiftung
DE Westwing; Westwing Group; Westwing Home and Living | WestwingNow | @westwing.de westwing.com
DE home24; Home24 SE | butlers; Mobly | @home24.de
DE Galeria; GALERIA Karstadt Kaufhof; Karstadt; Kaufhof; Galeria Kaufhof; Karstadt Warenhaus; GALERIA S.à r.l. | Dinea | @galeria.de | !Galería; Karstadt Sports; Galeria Inno
DE Hornbach; HORNBACH Baumarkt; Hornbach Holding; HORNBACH Baustoff Union | BODENHAUS | @hornbach.de hornbach.com
DE Globus; Globus Markthallen; Globus Fachmärkte; Globus Baumarkt; GLOBUS Handelshof | Alphatecc; Hela Profi Zentrum | @globus.de globus-baumarkt.de | !Globus Medical; Globus Toys; Globus Gateway; Globus family; Magazine zum Globus
CH Globus; Magazine zum Globus | Herren Globus | @globus.ch | !Globus Reisen; Globus Medical
DE Norma; NORMA Lebensmittel; Norma Lebensmittelfilialbetrieb | norma24; Norma Connect | @norma-online.de | !NORMA Group; Norma Polska
DE Netto; Netto Marken-Discount; Netto Marken-Discount Stiftung; NeS GmbH | Netto Reisen | @netto-online.de | !Netto ApS; Netto Salling; Dansk Supermarked
DK Salling; Salling Group; Dansk Supermarked; Netto; Netto International | Føtex; Bilka; Netto Deutschland; BR Legetøj; Netto ApS; ApS & Co KG Netto; Bilka.dk | @sallinggroup.com netto.dk netto.de | !Netto Marken
DE Check24; CHECK24 Vergleichsportal; CHECK24 GmbH; Check24 Finanzen; CHECK24 Services | C24 Bank; Preis24; Check24 Reise | @check24.de | !Check 24
DE N26; N26 Bank; N26 AG; N26 SE | Number26 | @n26.com
DE Trade Republic; Trade Republic Bank | @traderepublic.com
DE Scalable Capital; Scalable Capital Bank; Scalable Capital Vermögensverwaltung | Oskar.de | @scalable.capital
DE DKB; Deutsche Kreditbank | DKB Grund; DKB Service | @dkb.de | !DKB Household; DKB Bau
DE BayernLB; Bayerische Landesbank | DKB; Deutsche Kreditbank; Real I.S. | @bayernlb.de
DE DZ Bank; DZ BANK AG; Volksbanken Raiffeisenbanken | Union Investment; Bausparkasse Schwäbisch Hall; R+V Versicherung; TeamBank; easyCredit; VR Smart Finanz; DZ Privatbank; DZ HYP; Reisebank | @dzbank.de
DE Union Investment; Union Asset Management Holding; Union Investment Privatfonds | UniFonds; VisualVest; Quoniam | @union-investment.de
DE Deka; DekaBank; DekaBank Deutsche Girozentrale; Deka Investment; Deka Vermögensmanagement | bevestor; S Broker | @deka.de | !Deka Lash; DEKA Research; Deka Messebau
DE DEKRA; DEKRA Automobil; DEKRA SE; DEKRA Akademie | DEKRA Arbeit | @dekra.de dekra.com
DE TÜV SÜD; TÜV SÜD Auto Service; TÜV SÜD Akademie; TUV SUD; TÜV SÜD Product Service | Uniscon; TUEV SUED | @tuvsud.com tuev-sued.de | !TÜV Rheinland; TÜV Nord; TÜV Hessen; TÜV Saarland; TÜV Austria
DE TÜV Rheinland; TÜV Rheinland Akademie; TUV Rheinland; TÜV Rheinland Kraftfahrt | TÜV Rheinland LGA | @tuv.com
DE TÜV NORD; TÜV NORD Mobilität; TÜV NORD Akademie; TUV NORD; TÜV NORD Bildung; TÜV NORD CERT | DMT Group; ALTER Technology | @tuev-nord.de
DE Talanx; HDI; HDI Versicherung; HDI Lebensversicherung; HDI Global; Talanx AG; HDI Haftpflichtverband | Hannover Rück; HDI Seguros; neue leben; TARGO Versicherung; WARTA; PB Versicherungen; Ampega | @talanx.com hdi.de
DE Hannover Re; Hannover Rück; Hannover Rück SE; Hannover Rückversicherung | E+S Rück | @hannover-re.com | !Hannover Finanz
DE Signal Iduna; SIGNAL IDUNA Krankenversicherung; IDUNA Vereinigte | Sijox; Deurag; Donner & Reuschel; PVAG | @signal-iduna.de
DE Gothaer; Gothaer Versicherungsbank; Gothaer Allgemeine; Gothaer Krankenversicherung; BarmeniaGothaer; Barmenia; Barmenia Versicherungen; Barmenia Krankenversicherung | Janitos; Adcuri | @gothaer.de barmenia.de
DE Debeka; Debeka Krankenversicherungsverein; Debeka Lebensversicherungsverein | Debeka Bausparkasse | @debeka.de
DE ADAC; ADAC e.V.; ADAC SE; ADAC Autovermietung; ADAC Versicherung; ADAC Autoversicherung; ADAC Finanzdienste; Allgemeiner Deutscher Automobil-Club | ADAC Reisen; ADAC Medien; ADAC Luftrettung | @adac.de
DE Techniker Krankenkasse; TK | TK-Versicherung | @tk.de | !TK Maxx; TK Elevator; TK Immobilien
DE freenet; freenet DLS; mobilcom-debitel; freenet AG; mobilcom; freenet Energy | klarmobil; GRAVIS; waipu.tv; EXARING; freenet TV; freenetmobile; Media Broadcast | @freenet.de freenet-mobilfunk.de
DE Sky Deutschland; Sky Deutschland Fernsehen; Sky Deutschland GmbH; Sky Österreich | WOW; Premiere Fernsehen; Sky Ticket | @sky.de
GB Sky; Sky UK; Sky Group; British Sky Broadcasting; Sky Subscribers Services; Sky Limited; BSkyB; Sky CP; Sky International | NOW TV; Sky Mobile; Sky Ireland; Sky Italia; Sky Deutschland; Sky Bet UK; Sky Glass | @sky.com | !Sky Betting; Sky Zone; Skyscanner; Sky Airline; Sky Betting & Gaming; Sky Garden; Sky High
IT Sky Italia; Sky Italia Srl; Sky Italian Holdings | NOW Italia; Cielo | @sky.it
GB DAZN; DAZN Limited; DAZN Media; Perform Group; Perform Media; DAZN DACH | Foxtel; Goal.com; ELEVEN Sports; Team Whistle | @dazn.com
DE trivago; trivago N.V.; trivago Services | Weekend.com; youzhan | @trivago.com trivago.de
DE HolidayCheck; HolidayCheck Group; HolidayCheck AG; HolidayCheck Reisebüro | Driveboo; MietwagenCheck | @holidaycheck.de
DE Mobile.de; mobile.de GmbH | @mobile.de
NO Adevinta; Adevinta ASA | mobile.de; Kleinanzeigen; Marktplaats; leboncoin; Milanuncios; InfoJobs; Fotocasa; Coches.net; Adevinta Spain; Subito; 2dehands; Habitaclia; Kijiji; eBay Kleinanzeigen; DoneDeal; DBA.dk | @adevinta.com
DE Kleinanzeigen; kleinanzeigen.de; eBay Kleinanzeigen; Kleinanzeigen GmbH | @kleinanzeigen.de
DE StepStone; The Stepstone Group; StepStone Deutschland; StepStone GmbH | Totaljobs; Jobsite; Appcast; Irishjobs; Saongroup; CWJobs | @stepstone.de thestepstonegroup.com | !StepStone Group LP; Stepstone Hospice
DE XING; New Work; New Work SE; XING SE | kununu; onlyfy; Honeypot | @xing.com new-work.se
DE flaschenpost; flaschenpost SE | Durstexpress; Durst Express | @flaschenpost.de
TR Getir; Getir Perakende Lojistik; Getir Germany; Getir UK | Gorillas; GetirFinans; n11; BiTaksi; Getiraraç; FreshDirect | @getir.com
DE Flink; Flink SE; Flink Germany | Cajoo | @goflink.com | !Flink Clean
DE zooplus; zooplus SE; zooplus AG; zooplus italia; zooplus services; zooplus france | bitiba; Zooplus Polska; MATINA; Lukullus; zoohit; Concept for Life | @zooplus.de zooplus.com zooplus.fr
DE Playmobil; geobra Brandstätter; Horst Brandstätter; Playmobil UK; Playmobil France | Lechuza; Playmobil Funpark | @playmobil.de playmobil.com
DE Ravensburger; Ravensburger Verlag; Ravensburger AG; Otto Maier Verlag; Ravensburger Spieleverlag | BRIO; ThinkFun; tiptoi; Wonder Forge; Gravitrax | @ravensburger.de ravensburger.com | !Ravensburger Torten; TSG Ravensburg
DE Faber-Castell; A.W. Faber-Castell; Faber-Castell AG; AW Faber-Castell Vertrieb | Faber-Castell Cosmetics | @faber-castell.de faber-castell.com
DE WMF; WMF GmbH; WMF Group; Württembergische Metallwarenfabrik; WMF Consumer | Silit; Kaiser; Schaerer; Hepp; proHeq; Curtis | @wmf.com wmf.de | !Wieland Metallwaren
FR Groupe SEB; SEB; SEB S.A.; Groupe SEB Deutschland; Groupe SEB France; Groupe SEB Moulinex; Groupe SEB Iberica; Groupe SEB UK; Groupe SEB Polska; Groupe SEB Italia; Groupe SEB Nederland; Groupe SEB Österreich | Tefal; T-fal; Rowenta; Moulinex; Krups; All-Clad; Lagostina; WMF; Calor; Supor; Arno; EMSA; Imusa; Forge Adour; La San Marco; Pacojet; Tefal Österreich | @groupeseb.com | !SEB Bank; SEB Pank; SEB Kort; Skandinaviska Enskilda
SE SEB; Skandinaviska Enskilda Banken; SEB Bank; SEB AB; SEB Pank; SEB banka; SEB bankas; SEB Kort Bank | SEB Life; AirPlus; Eurocard Sweden | @seb.se seb.lt seb.ee seb.lv sebgroup.com | !Groupe SEB; SEB Developpement; SEB S.A
DE Zwilling; ZWILLING J.A. Henckels; Zwilling J. A. Henckels; ZWILLING Beauty | Staub; Ballarini; Miyabi; Demeyere; Henckels; Flammkraft; Santos | @zwilling.com
DE Villeroy & Boch; Villeroy & Boch AG; Villeroy und Boch | Ideal Standard; Ucosan; Svenska Badrum; Gustavsberg; Villeroy & Boch Gustavsberg | @villeroy-boch.com villeroy-boch.de
DE Birkenstock; Birkenstock Group; Birkenstock digital; Birkenstock Global Sales; Birkenstock USA; Birkenstock Sales | Papillio; Birki's; Betula; Birkenstock Schuhe | @birkenstock.com
DE Jack Wolfskin; Jack Wolfskin Ausrüstung für Draussen; Jack Wolfskin Retail | @jack-wolfskin.de jack-wolfskin.com
DE TOM TAILOR; Tom Tailor GmbH; TOM TAILOR E-Commerce; TOM TAILOR Retail | BONITA; TOM TAILOR Denim | @tom-tailor.de | !Tom Taylor; Tom the Tailor
DE Esprit; Esprit Europe; Esprit Retail; Esprit Holdings; Esprit Design & Product; Esprit Global; Esprit Europe Services | edc by Esprit | @esprit.de esprit.com esprit.eu | !Esprit Coiffure; Esprit Financial; Esprit Barbecue; L'Esprit
DE BestSecret; Best Secret; BESTSECRET GmbH; Schustermann & Borenstein | Best Secret Group | @bestsecret.com
DE Mytheresa; MYT Netherlands; mytheresa.com GmbH; Theresa Warenvertrieb; LuxExperience | Net-A-Porter; Yoox | @mytheresa.com
DE About You; ABOUT YOU SE; ABOUT YOU GmbH; ABOUT YOU Holding | SCAYLE; Adference | @aboutyou.de aboutyou.com
DE bonprix; bonprix Handelsgesellschaft; bon prix; Bonprix Sp; bonprix Retail | bpc; BODYFLIRT; bonprix.pl | @bonprix.de
DE Knauf; Knauf Gips; Gebr. Knauf; Knauf Insulation; Knauf Ceiling; Knauf Gips KG | USG; USG Corporation; AMF Ceilings; Armstrong Ceilings; Danogips; Norgips | @knauf.de knauf.com | !Knauf Interfer; Knauf Industries; Knauf Shopping
LI Hilti; Hilti AG; Hilti Deutschland; Hilti Aktiengesellschaft; Hilti Austria; Hilti (Schweiz); Hilti France; Hilti Italia | Fieldwire; Oglaend; 4PS | @hilti.com hilti.de hilti.group | !Hilti Foundation; Hilti Weine
DE Festool; Festool GmbH; TTS Tooltechnic; Tooltechnic Systems | Tanos; SawStop; Cleantec; Narex; Shaper Tools | @festool.de festool.com
DE Einhell; Einhell Germany; Einhell Deutschland; iSC GmbH; Hans Einhell | kwb tools; Ozito; Outillage Einhell | @einhell.de einhell.com
DE Grohe; Grohe AG; Grohe Deutschland Vertriebs; GROHE Beteiligungs; Grohe UK; Grohe Polska; Friedrich Grohe | Lixil | @grohe.de grohe.com
DE hansgrohe; Hansgrohe SE; Hansgrohe Deutschland Vertriebs; Hansgrohe Inc; Hans Grohe | AXOR; Hüppe | @hansgrohe.de hansgrohe.com
DE Schüco; Schüco International; Schüco Polymer Technologies; Schueco | SOREG; Forster Profilsysteme; Schüco Home | @schueco.com schuco.com | !Schuco Modell; Schuco Wheels
DE STADA; STADA Arzneimittel; STADAvita; STADAPHARM; STADA Consumer Health; Nizhpharm | Grippostad; ALIUD; ALIUD PHARMA; Thornton & Ross; Zoflora; Ladival; Hemofarm; Britannia Pharmaceuticals; Walmark; Cetraben; Hedrin; Eunova; Bifiform; Hoggar; EG S.p.A. | @stada.de stada.com
DE Weleda; Weleda AG; Weleda UK; Weleda Naturals; Weleda Italia | Weleda Trademark; WELEDA Skin Food | @weleda.de weleda.com weleda.ch
DE Queisser; Queisser Pharma | Doppelherz; Protefix; Tiger Balm Queisser; Litozin; Stozzon | @queisser.de doppelherz.de
DE Klosterfrau; Klosterfrau Healthcare; MCM Klosterfrau; M.C.M. Klosterfrau; Klosterfrau Vertriebs; Cassella-med | neo-angin; Nasic; Contramutan; Bronchicum; Soledum; Artelac | @klosterfrau.de
DE Dr. Wolff; Dr. August Wolff; Dr. Kurt Wolff; Dr. Wolff Group; Dr. August Wolff Arzneimittel | Alpecin; Plantur 39; Linola; Vagisan; Karex; Biorepair; Alcina | @drwolffgroup.com | !Dr. Wolff Zahnarzt
DE Werner & Mertz; Werner und Mertz | Frosch; Erdal; Emsal; Green Care; Tana Chemie; Tana-Chemie; Tarax; Rorax | @werner-mertz.de frosch.de
DE delta pronatura; delta pronatura Dr. Krauss & Dr. Beckmann | Dr. Beckmann; Dr Beckmann; blend-a-dent; Bullrich; Bac | @dr-beckmann.de
NL Redcare; Redcare Pharmacy; Shop Apotheke; Shop Apotheke Europe; Shop-Apotheke; SHOP APOTHEKE B.V. | Farmaline; MedApp; Europa Apotheek; nu3; Mediservice; GoPuls; First A | @shop-apotheke.com redcare-pharmacy.com
NL DocMorris; DocMorris N.V.; Zur Rose; Zur Rose Group; DocMorris AG; DocMorris Services; Zur Rose Suisse | medpex; TeleClinic; Eurapon; apo-rot; PromoFarma; Doctipharma; Juvalis; Zur Rose Pharma | @docmorris.de docmorris.com
DE Rotkäppchen-Mumm; Rotkäppchen-Mumm Sektkellereien | Rotkäppchen; Mumm Sekt; Geldermann; Chantré; Kloster Eberbach; Eckes Spirituosen; Eckes Edelkirsch; Blanchet; MM Extra; Echter Nordhäuser | @rotkaeppchen-mumm.de
DE Krombacher; Krombacher Brauerei; Krombacher Brauerei Bernhard Schadeberg | Schweppes Deutschland; Vitamalz; Rolinck; Rhenania Alt; Orangina Deutschland; Starnberger; Dr Pepper Deutschland | @krombacher.de
DE Radeberger; Radeberger Gruppe; Radeberger Exportbierbrauerei | Jever; Schöfferhofer; Clausthaler; Binding; DAB; Selters; Berliner Kindl; Allgäuer Brauhaus; Bionade; Dortmunder Actien; Ur-Krostitzer | @radeberger-gruppe.de radeberger.de
DE Intersnack; Intersnack Deutschland; Intersnack Group; Intersnack Knabber-Gebäck | funny-frisch; Chio; Pom-Bär; ültje; POM-BEAR; goldfischli; Tyrrells; KP Snacks; McCoy's; Hula Hoops; Popchips; Wolf Bergstraße; Vico; Estrella; Tayto Ireland; Kelly's; Snips; Jumpy's | @intersnack.de intersnackgroup.com
GB Nomad Foods; Nomad Foods Europe; Birds Eye; Iglo; iglo GmbH; Birds Eye Limited; Findus; Nomad Foods Limited; Findus Sverige; Iglo Austria; C.S.I. Compagnia Surgelati Italiana | Aunt Bessie's; Goodfella's; Green Cuisine; Captain Birdseye; La Cocinera; Ledo Nomad; Belviva; Frikom; Käpt'n Iglo; Capitan Findus; Findus Italia; Frudesa | @nomadfoods.com birdseye.co.uk iglo.de
DK Arla; Arla Foods; Arla Foods amba; Arla Foods Deutschland; Arla Foods UK; Arla Oy; Arla Foods Ingredients; Arla Foods Artis; Arla Polska | Lurpak; Castello; Cravendale; Skyr Arla; Puck; Hansano; Milkana; Cocio; Starbucks Chilled; Matilde; Lactofree; Kærgården; Yeo Valley Dairies; Karolines Køkken; Anchor Butter; DMK | @arla.com arlafoods.com arla.dk arla.se arlafoods.co.uk | !Arla Plast
NL JDE Peet's; Jacobs Douwe Egberts; JDE; Koninklijke Douwe Egberts; Douwe Egberts; Jacobs Douwe Egberts DE; Jacobs Douwe Egberts FR; JDE Professional; JACOBS DOUWE EGBERTS ES; Jacobs Douwe Egberts GB; JDE Coffee | Jacobs Kaffee; Senseo; Tassimo; L'OR; L'Or Espresso; Kenco; Douwe Egberts NL; Pickwick; Peet's Coffee; Gevalia; Marcilla; Saimaza; Moccona; Piazza d'Oro; Campos Coffee; Caribou Coffee; Friele; Carte Noire JDE; Stumptown; Intelligentsia; Ti Ora; Old Town White Coffee; Café Pilão; OLDTOWN; Super Coffee; Maxwell House JDE; Onko; Café HAG; Merrild JDE; Splendid Caffè | @jdepeets.com
DE Hapag-Lloyd; Hapag-Lloyd AG; Hapag Lloyd | UASC; NileDutch; CSAV Container; SM SAAM Terminals; Deutsche Afrika-Linien; Gemini Hapag | @hapag-lloyd.com | !Hapag-Lloyd Cruises; Hapag-Lloyd Reisebüro; Hapag-Lloyd Kreuzfahrten
DE Hapag-Lloyd Cruises; Hapag-Lloyd Kreuzfahrten | MS Europa; TUI Cruises | @hl-cruises.de hl-cruises.com
DE TUI Cruises; TUI Cruises GmbH | Mein Schiff; Hapag-Lloyd Cruises | @tuicruises.com meinschiff.com
DE AIDA; AIDA Cruises; AIDA Cruises - German Branch of Costa Crociere | Costa Crociere | @aida.de | !AIDA Bauer; Aida Konditorei; Café-Konditorei Aida
IT Costa Crociere; Costa Cruises; Costa Crociere S.p.A.; Costa Kreuzfahrten; Costa Cruise Lines | AIDA Cruises; Costa Croisières; Costa Cruceros | @costacrociere.it costakreuzfahrten.de costacruises.com
CH MSC Cruises; MSC Kreuzfahrten; MSC Crociere; MSC Croisières; MSC Cruceros; MSC Cruises S.A.; MSC Cruises GmbH; MSC Cruises (USA); MSC Cruises SA | Explora Journeys | @msccruises.com msccruises.de msccrociere.it msc.com | !MSC Software; MSC Industrial; MSC Malaysia; MSC Mediterranean
CH MSC; Mediterranean Shipping Company; MSC Mediterranean Shipping; MSC Germany; MSC Group | Medlog; Terminal Investment; Africa Global Logistics; Gram Car Carriers; Italo; MSC Air Cargo; MSC Cruises | @msc.com | !MSC Software; MSC Industrial Direct; MSC Industrial; Mirpuri; Manhattan School; MSC Malaysia
DE Vinted Deutschland; Kleiderkreisel; Mamikreisel | Vinted | @kleiderkreisel.de
LT Vinted; UAB Vinted; Vinted UAB; Vinted Limited; Vinted Inc; Vinted Go; Vinted Pay; Vinted Marketplace; Vinted Sp; Vinted s.r.o. | Kleiderkreisel; Rebelle; Trendsales; Homerr; Kleiderkorb; Chicfy; United Wardrobe; Lemona | @vinted.com vinted.fr vinted.de vinted.lt vinted.pl
FR Back Market; JUNG; Jung SAS; Back Market Inc; BackMarket; Back Market SAS | Spareka | @backmarket.fr backmarket.com backmarket.de backmarket.es | !Jung Pumpen; Albrecht Jung; Jung von Matt; Jung Hotel
FR ManoMano; Colibri; Colibri SAS; Colibri Manomano; ManoMano Deutschland | ManoManoPro; SuperMano | @manomano.fr manomano.com manomano.de | !Colibri Group; Colibri Home
FR Doctolib; Doctolib SAS; Doctolib GmbH; Doctolib S.r.l. | Tanker; MonDocteur; Dottori.it; Siilo; Typeless | @doctolib.fr doctolib.de
FR papernest; Souscritoo; Papernest SAS; Papernest España | @papernest.com
FR Cdiscount; Cdiscount.com; Cnova; Cdiscount SA | Octopia; Peaksys; Cdiscount Pro; Cdiscount Voyages; C-Logistics | @cdiscount.com
FR Casino; Groupe Casino; Casino Guichard-Perrachon; Distribution Casino France; Casino Guichard Perrachon; Casino France | Monoprix; Franprix; Cdiscount; Naturalia; Spar France; Vival; Leader Price; Relevanc; Monoprix Exploitation | @groupe-casino.fr casino.fr | !Casino Barrière; Casino Royale; Casino Austria; Casinos Austria; Casino Baden; Casino Lisboa; Casino de Monte; Casino Gran; Casino Madrid
FR Monoprix; Monoprix Exploitation; Monoprix SA | Monop'; Sarenza; Monoprix.fr | @monoprix.fr
FR E.Leclerc; Leclerc; Galec; Association des Centres Distributeurs E. Leclerc; ACDLec; E. Leclerc; SIPLEC; GALEC Groupement d'achat; Centres E.Leclerc; GIE Galec | SCAMARK; E.Leclerc Voyages; Manège à Bijoux; Leclerc Énergies; Une heure pour soi; Espace Culturel E.Leclerc | @e.leclerc e-leclerc.com | !KNDS; Charal; Leclerc Biscuits; Biscuits Leclerc; Groupe Leclerc; Leclerc Foods; Nexter; Leclerc Architecture
FR Intermarché; ITM Entreprises; ITM Alimentaire International; Les Mousquetaires; Groupement Les Mousquetaires; Intermarche; ITM Alimentaire; Intermarché Belgique | Netto France; Bricomarché; Bricorama; Roady; Brico Cash; Agromousquetaires; Rapid Pare-Brise; Intermarché Hyper | @intermarche.com mousquetaires.com intermarche.be
FR Système U; Coopérative U; Magasins U; U Enseigne; Système U Centrale Nationale; Super U; Hyper U | Courses U; U Express; U Proximité; Bulles U; U Tech | @magasins-u.com coursesu.com
FR Boulanger; HTM Boulanger; Boulanger SA; Boulanger.com | Electro Dépôt; Webdistrib; Essentiel B; B'dom; Krëfel | @boulanger.com | !Boulangerie; Boulanger Pâtissier; Boulanger Traiteur
FR Kiabi; Kiabi Europe; Kiabi SAS; Kiabi España; Kiabi Italia; KSCE; Kiabi Logistique | Beebs | @kiabi.com
FR La Redoute; La Redoute SAS; Redcats; La Redoute Portugal; La Redoute Suisse; La Redoute Catalogue Benelux | AM.PM; La Redoute Intérieurs; Relais Colis; Redcats Portugal | @laredoute.fr laredoute.com
FR Galeries Lafayette; Groupe Galeries Lafayette; 44 GL; 44 GALERIES LAFAYETTE; Galeries Lafayette Haussmann; Magasins Galeries Lafayette; Motier; Société Anonyme des Galeries Lafayette | BHV Marais; Mauboussin; Louis Pion; BazarChic; RQZ; Instant Luxe; Royal Quartz | @galerieslafayette.com groupegalerieslafayette.com
FR Printemps; Printemps SAS; Au Printemps; Printemps.com | Place des Tendances; Made in Design; Citadium | @printemps.com | !Primavera; Hôtel Printemps; Printemps Solaire; Printemps de Bourges
FR Showroomprivé; Showroomprive; SRP Groupe; Showroomprive.com | Beauteprivee; The Bradery; Saldi Privati; Beauté Privée | @showroomprive.com
FR Sephora; Sephora SAS; Sephora USA; Sephora Italia; Sephora Deutschland; Sephora Germany; S+ SAS; Sephora Cosmeticos España; Sephora Polska; Sephora UK; Feelunique; Sephora Digital; Sephora Greece; Sephora Middle East; Sephora Australia; Sephora Romania; Sephora Kozmetik; S+; 丝芙兰; Sephora Asia | Sephora Collection; Sephora Spain; Luxola | @sephora.fr sephora.com sephora.de sephora.it sephora.es sephora.pl
FR Yves Saint Laurent; Saint Laurent; YSL; Yves Saint Laurent America; Yves Saint Laurent SAS; Yves Saint Laurent Boutique France | Saint Laurent Rive Droite | @ysl.com | !Yves Saint Laurent Beauté; YSL Beauté; YSL Beauty; Saint-Laurent-du-Var
FR Chanel; CHANEL SAS; Chanel Limited; Chanel Inc; Chanel Parfums Beauté; Chanel GmbH; Chanel S.R.L.; Chanel Coordination; シャネル; シャネル合同会社; 샤넬; 샤넬코리아; 香奈儿; Chanel Hong Kong; Chanel España | Eres; Barrie; Bourjois Chanel; Lesage; Massaro; Orlebar Brown; Holland & Holland | @chanel.com | !Chanel West Coast; Chanel Beauty Salon; Coco Chanel Cafe
FR Clarins; Clarins SAS; Clarins Fragrance Group; Clarins GmbH; Clarins USA; Clarins (U.K.); Clarins Paris Skin Spa; Clarins Groupe; Clarins Italia; Clarins Paris | myBlend; ILIA Beauty | @clarins.com clarins.fr
FR Pierre Fabre; Pierre Fabre Dermo-Cosmétique; Laboratoires Pierre Fabre; Pierre Fabre Médicament; Pierre Fabre Dermo-Cosmetique; Pierre Fabre Dermo-Kosmetik; Pierre Fabre Benelux; Pierre Fabre Ibérica; Pierre Fabre Italia; Pierre Fabre Pharma; Pierre Fabre Oral Care | Avène; Eau Thermale Avène; Ducray; Klorane; A-Derma; Darphin PF; René Furterer; Elgydium; Même; Inava; Array Europe; Galénic | @pierre-fabre.com
FR L'Occitane; L'Occitane en Provence; Laboratoires M&L; M&L Distribution; L'Occitane International; L'Occitane Inc; M & L Distribution; L'Occitane Japon; L'OCCITANE Group | Melvita; Erborian; Elemis; Sol de Janeiro; Dr. Vranjes; LimeLife; L'Occitane au Brésil; Grown Alchemist | @loccitane.com | !L'Occitane Traiteur; Occitanie
FR NAOS; Bioderma; Laboratoire Bioderma; NAOS Les Laboratoires; Bioderma Italia; NAOS Deutschland | Institut Esthederm; Etat Pur | @bioderma.com naos.com bioderma.fr
FR Ipsen; Ipsen Pharma; Ipsen Biopharmaceuticals | Albireo; Epizyme; Dysport; Clementia | @ipsen.com | !Ipsen Immobilien
FR Servier; Les Laboratoires Servier; Servier Deutschland; Laboratoires Servier; Servier Pharmaceuticals; Servier Polska | Biogaran; Egis; Day One Bio | @servier.com servier.fr
FR Thales; Thales Group; Thales SA; Thales DIS; Thales Deutschland; Thales UK; Thales USA; Thales Alenia Space | Gemalto; Imperva; Thales Avionics; SafeNet; Tesserent; Guavus; Vormetric | @thalesgroup.com | !Thalès Esthétique; Thales Learning; Thales Nano
FR Airbus; Airbus SE; Airbus Group; EADS; Airbus Operations; Airbus Defence and Space; Airbus Helicopters; Airbus SAS; Airbus Americas | Eurocopter; Satair; NAVBLUE; UP42; Testia; Infodas; Stelia; Skywise; Airbus Atlantic; Premium Aerotec | @airbus.com | !Airbus Travel; Airbus Taxi
FR Dassault Systèmes; Dassault Systemes; Dassault Systèmes SolidWorks; Dassault Systemes Deutschland; 3DS | SolidWorks; CATIA; Medidata; Medidata Solutions; GEOVIA; Centric Software; BIOVIA; Simulia; Delmia | @3ds.com | !Dassault Aviation; Dassault Falcon; Dassault Reliance
FR Dassault Aviation; Dassault Falcon Jet; Dassault Falcon Service | Falcon Jet | @dassault-aviation.com | !Dassault Systèmes; Dassault Systemes
FR Capgemini; Cap Gemini; Capgemini SE; Capgemini Deutschland; Capgemini Technology Services; Capgemini America; Capgemini Engineering; Capgemini Polska; Capgemini Nederland; Capgemini Consulting | Sogeti; Altran; frog; frog design; Syniti; WNS; Capgemini Invent; LiquidHub; Idean; BTC Corporation | @capgemini.com
FR Atos; Atos SE; Atos IT Services; Atos Information Technology; Atos Origin; Atos France | Eviden; Bull SAS; Syntel; Atos Syntel; cv cryptovision; Science+Computing | @atos.net | !Atos Medical; Atos Klinik; ATOS Kliniken; Atos Dentistry; Átos
FR Sodexo; Sodexo SA; Sodexo Services; Sodexo Operations; Sodexo Limited; Sodexo Beteiligungs; Sodexo Inc; Sodexo Pass; Sodexo Italia; Sodexo Iberia | Entegra; Lenôtre; The Lido Sodexo; Bateaux Parisiens; Circles Sodexo; Yeeld; Crèches Liveli | @sodexo.com | !Pluxee
FR Pluxee; Pluxee N.V.; Pluxee France; Pluxee International; Sodexo Benefits and Rewards; Pluxee Belgium; Pluxee Polska; Pluxee Italia; Pluxee España; Pluxee Česká | Cobee; Benefício Fácil | @pluxee.com pluxeegroup.com pluxee.fr
FR Edenred; Edenred SE; Edenred France; Edenred Deutschland; Edenred Italia; Edenred España; Edenred UK; Edenred Polska; Edenred Belgium; Edenred Romania; Edenred México | Ticket Restaurant; UTA; UTA Edenred; UNION TANK Eckstein; Reward Gateway; ProwebCE; GoIntegro; Kadéos; Ticket Log; Corporate Spending Innovations; RoboDocs; Spirii | @edenred.com edenred.fr
FR Lacoste; Lacoste Operations; Lacoste S.A.; Lacoste USA; Lacoste Germany; Devanlay; Devanlay Ventes et Marketing; Lacoste E-commerce; ラコステ; 라코스테; Lacoste Italia; La Chemise Lacoste | Lacoste L!VE | @lacoste.com | !Lacoste Immobilier; Garage Lacoste; Château Lacoste; Lacoste Traiteur; Grand-Puy-Lacoste
CH Maus Frères; MF Brands; MF Brands Group | Lacoste; Gant; Aigle; The Kooples; Tecnifibre; Manor; Jumbo-Markt | @mausfreres.ch mfbrands.com
SE GANT; Gant AB; Gant Company; GANT DACH; GANT UK; GANT USA; Gant Fashion; Gant France | @gant.com gant.de gant.se | !Gant Travel; Gant Construction
FR SMCP; SMCP S.A. | Sandro; Maje; Claudie Pierlot; Fursac; Sandro Andy; De Fursac; Maje SAS; Maje UK; SMCP UK; SMCP Deutschland | @smcp.com
FR Etam; Etam Lingerie; Groupe Etam; Etam Group; Etam Développement | Undiz; Maison 123; Livy; Ysé; 1.2.3 Paris | @etam.com
FR Célio; Celio; Celio France; celio*; Celio International | Be Camaïeu; Camaïeu | @celio.com | !Celio Corporation; São Célio
FR Camaïeu; Camaïeu International; Camaieu | @camaieu.fr
FR Promod; Promod SAS; Promod GmbH | @promod.fr promod.com | !Promodj; Promod Engineering
FR Maisons du Monde; Maisons du Monde France; Maisons du Monde SA; Maisons du Monde Italie; Maisons du Monde Espagne; Maisons du Monde Deutschland | Rhinov; Modani; MDM Furniture | @maisonsdumonde.com
FR Conforama; Conforama France; Conforama Holding; Conforama Italia; Conforama España; Conforama Iberia; Conforama Portugal; Conforama Suisse; Confo | Mobilier Conforama; Conforama Jugoistok | @conforama.fr conforama.com
FR BUT; BUT International; BUT SAS; But.fr | Distri-Artisan | @but.fr
FR Norauto; Norauto France; Mobivia; Norauto Italia; Norauto España; Norauto Portugal; Mobivia Groupe; Norauto Polska; Norauto Belgique | Midas Europe; A.T.U; ATU; Auto 5; Bythjul; Skruvat; Cmonoto; A.T.U Auto-Teile-Unger; Auto-Teile-Unger | @norauto.fr mobivia.com norauto.es
DE ATU; A.T.U; A.T.U Auto-Teile-Unger; Auto-Teile-Unger; ATU Auto Teile Unger; A.T.U Auto-Teile-Unger Handels | @atu.de atu.eu
FR Oney; Oney Bank; Banque Accord; Oney Bank SA; Oney Servicios Financieros | Oney Insurance | @oney.com oney.fr
FR Boursobank; Boursorama; Boursorama Banque; Boursorama SA | @boursobank.com boursorama.com
FR La Banque Postale; La Banque Postale Assurances; LBP; La Banque Postale Consumer Finance | Ma French Bank; CNP Assurances; Louvre Banque Privée; La Financière de l'Échiquier; BPE | @labanquepostale.fr
FR CNP Assurances; CNP; CNP Assurances SA; CNP UniCredit Vita; CNP Partners; CNP Santander | Caixa Vida e Previdência; CNP Seguros; CNP Vita | @cnp.fr cnpassurances.com | !CNP Nice; CNP Industries
FR MAIF; Mutuelle Assurance Instituteur France; MAIF Vie; Mutuelle Assurance des Instituteurs de France | Altima Assurances; Numa Paris | @maif.fr
FR MACIF; Aéma; Aéma Groupe; Mutuelle Assurance des Commerçants et Industriels de France | Abeille Assurances; Aésio; Aésio Mutuelle; Ofi Invest; Mutavie | @macif.fr aemagroupe.fr
FR MMA; MMA IARD; Covéa; Covea; MMA Assurances Mutuelles; GMF; GMF Assurances; MAAF; MAAF Assurances | PartnerRe; MMA Vie; Fidélia; Santéclair; APJ | @mma.fr covea.com gmf.fr maaf.fr | !MMA Gym; MMA Fighting; MMA Academy
FR Groupama; Groupama Assurances Mutuelles; Groupama Assicurazioni; Groupama Gan Vie; Groupama Biztosító; Groupama Asigurări | Gan Assurances; Amaguiz; Groupama Zhivotozastrahovane; Gan; Gan Prévoyance | @groupama.fr groupama.com groupama.it
FR Malakoff Humanis; Malakoff Humanis Gestion; Malakoff Médéric; Humanis | Quatrem; Auxia; Viasanté MH; Energie Mutuelle | @malakoffhumanis.com
FR AG2R La Mondiale; AG2R; La Mondiale; AG2R Prévoyance; ViaSanté; SGAM AG2R La Mondiale | Arial CNP; La Mondiale Partenaire; Prima | @ag2rlamondiale.fr
FR Air France; Société Air France; Air France-KLM; Air France KLM; Air France Voyages; Groupe Air France | HOP!; Transavia France; Transavia; KLM; Martinair; Flying Blue; Servair; BlueBiz | @airfrance.fr airfrance.com airfranceklm.com airfrance.us
NL KLM; KLM Royal Dutch Airlines; Koninklijke Luchtvaart Maatschappij; KLM N.V. | Transavia; KLM Cityhopper; Martinair Holland; Transavia Airlines | @klm.com klm.nl
NL Transavia; Transavia Airlines; Transavia Airlines C.V.; Transavia France; Transavia Company | @transavia.com
BE Brussels Airlines; SN Airholding; SN Brussels Airlines | @brusselsairlines.com
CH SWISS; Swiss International Air Lines; Swiss International Air Lines AG; Swiss International Airlines | Edelweiss Air; Swiss Global Air Lines; Air Trust | @swiss.com | !Swiss Life; Swiss Re; Swiss Sense; Swiss Post; Swiss Medical; Swiss Gear; Swiss Colony; Swiss Krono; Swiss Prime; Swiss Steel; Swiss Smile; Swiss Chalet; Swiss Cheese; Swiss Casinos; Swiss Pass
AT Austrian Airlines; Austrian; Austrian Airlines AG; AUA | Tyrolean Airways; myHoliday Austrian | @austrian.com | !Austrian Post; Austrian Standards; Austrian Power
DE Eurowings; Eurowings GmbH; Eurowings Europe; Eurowings Aviation; EW Discover; Eurowings Digital | Eurowings Holidays; Germanwings | @eurowings.com
DE Condor; Condor Flugdienst; Condor Holidays | Marabu | @condor.com | !Condor Versicherung; Condor Security; Condor Electronics; Condor Capital; Condor Lift; Condor Hotel; Condor Allgemeine; Condor Lebensversicherung; Condor Ferries; Condor Airlines Chile; Condor Travel; Condor Outdoor
GB easyJet; easyJet Airline; easyJet Airline Company; easyJet plc; easyJet UK; easyJet Europe; easyJet Europe Airline; easyJet Switzerland | easyJet holidays | @easyjet.com | !easyGroup; easyHotel; easyCar; easyBus
IE Ryanair; Ryanair DAC; Ryanair Holdings; Ryanair Ltd; Ryanair Designated Activity Company | Lauda Europe; Laudamotion; Buzz; Malta Air; Ryanair UK; Ryanair Sun; Ryanair Rooms | @ryanair.com
IE Aer Lingus; Aer Lingus Limited; Aer Lingus Regional | Aerclub | @aerlingus.com
GB British Airways; British Airways plc; BA; BA Cityflyer; BA Euroflyer; British Airways Holidays | Executive Club; OpenSkies; BA Holidays | @britishairways.com ba.com | !BA Glass; BA Psychology; BA Engineering; BA Systems; BAE; BA Robotic
ES Iberia; Iberia Líneas Aéreas de España; Iberia LAE; Iberia Lineas Aereas; Iberia L.A.E.; Iberia Express; Compañía Operadora de Corto y Medio Radio Iberia Express | Iberia Cards; Iberia Maintenance; Club Iberia Plus; Level | @iberia.com iberiaexpress.com | !Iberia Bank; IberiaBank; Iberia Parish; Iberia Medical
ES Vueling; Vueling Airlines; Vueling Airlines S.A. | Vueling Club | @vueling.com
NO Norwegian; Norwegian Air Shuttle; Norwegian Air Shuttle ASA; Norwegian Air Shuttle AOC; Norwegian Air Sweden; Norwegian Reward | Widerøe; Bank Norwegian Air; Norwegian Brand | @norwegian.com norwegian.no | !Norwegian Cruise; Bank Norwegian; Norwegian Block; Norwegian Seafood; Norwegian Rain; Norwegian Property
SE SAS; Scandinavian Airlines; SAS Scandinavian Airlines; Scandinavian Airlines System; SAS AB; SAS EuroBonus; SAS Group | SAS Link; SAS Connect; EuroBonus | @flysas.com sas.se sasgroup.net | !SAS Institute; SAS Software; SAS Automotive; SAS Sushi
US SAS Institute; SAS; SAS Software; SAS Institute Inc; SAS Institute GmbH; SAS Institute Ltd | JMP; SAS Viya; JMP Statistical | @sas.com | !Scandinavian Airlines; SAS Shoes; San Antonio Shoemakers
FI Finnair; Finnair Oyj | Aurinkomatkat; Finnair Cargo; Finnair Kitchen | @finnair.com
PT TAP; TAP Air Portugal; Transportes Aéreos Portugueses; TAP Portugal | Portugália; Cateringpor; Megasis; TAP Miles&Go | @flytap.com tap.pt | !TAP Pharmaceutical; Tap Plastics; Tap & Co; TapTap
IT ITA Airways; Italia Trasporto Aereo; ITA Italia Trasporto Aereo | Volare; Alitalia | @ita-airways.com itaspa.com
PL LOT; LOT Polish Airlines; Polskie Linie Lotnicze LOT; PLL LOT | @lot.com | !Lot Quantum; Lot18; Lot-Art
CZ Smartwings; Travel Service; Smartwings a.s.; Travel Service a.s. | ČSA; Czech Airlines; České aerolinie | @smartwings.com
GR Aegean; Aegean Airlines; Αεροπορία Αιγαίου; Aegean Airlines S.A.; Aegean Air; Αεροπορία Αιγαίου Α.Ε. | Olympic Air; Animawings; Olympic Airways | @aegeanair.com | !Aegean Marine; Aegean College; Aegean Motorway; Aegean Oil; Aegean Baltic; University of the Aegean
`;
