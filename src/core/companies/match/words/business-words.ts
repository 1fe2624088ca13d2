/**
 * Words of corporate structure, which a company adds to its own name for a subsidiary: `retail`, `vertriebs`, `holding`. They name no
 * trade. Folded (`foldText`). Our own list.
 */
export const corporateWords: readonly string[] = [
  'centrala centrale retailco salesco opco holdco handelsonderneming warenhaus kaufhaus detal sprzedazy zakup prodajna nabava veleprodaja maloobchod grossiste',
  // English
  'retail sales distribution distributor distributors commercial',
  'operations operating operational administration headquarters hq',
  'procurement',
  'brand brands production manufacturing',
  'leasing treasury payments payment pay',
  'consumers',
  'branch subsidiary stores outlets corporation',
  'licensing licence license ip principal',
  'generale generales mutual mutuelle mutua mobility co incorporated',
  'stiftung bund',
  'clients clientes clienti clients kunden kundenbetreuung customers execution holder ipholder trademark delivery fulfilment facilities facility workplace',
  'cooperative cooperatieve cooperativa cooperatives genossenschaftlich banken publiek recht etablissementen association warenhandels agregator intermediacao',
  'negocios negotium mercantile mercantil purchasing buying merchandise representative representation liaison regional headquarter manufacturing assembly',
  'factory factories fabrik fabrika fabrikalari plant plants tovarna zavod zavody fabbrica fabrica usine usines fab gyar uretim uretimi proizvodnja vyroba',
  // German
  'vertrieb vertriebs vertriebsgesellschaft verkauf verkaufs handel handels handelsgesellschaft einkauf einkaufs dienstleistung dienstleistungen',
  'dienstleistungs beteiligung beteiligungs beteiligungen verwaltung verwaltungs verwaltungsgesellschaft betriebs gesellschaft',
  'zweigniederlassung niederlassung filiale filialen zentrale werke werk produktion produktions geschaftskunden privatkunden kundenservice',
  'beschaffung versand versandhandel onlineshop einzelhandel einzelhandels marketinggesellschaft servicegesellschaft unternehmen unternehmens',
  'genossenschaft genossenschafts hausgerate finanz finanzdienstleistungen vermogensverwaltung investitions',
  // French
  'distribution ventes vente commerciale participations exploitation siege succursale filiales compagnie etablissements',
  'manufacture produits societe participation hypermarches supermarches magasins restauration developpement entreprise entreprises',
  // Italian, Spanish, Portuguese
  'vendite vendita distribuzione commercio commerciale societa partecipazioni industriale industrie filiale',
  'ventas venta distribucion distribuidora distribuidor comercio comercial comercializadora compania sociedad',
  'supermercados centros comerciales corporativo corporacion operadora importadora exportadora industria sucursal empresa empresas',
  'vendas distribuicao distribuidora companhia participacoes empreendimentos pagamentos transporte',
  'entretenimento varejo lojas industrias comercializacao teknologi',
  // Dutch and Nordic
  'verkoop handelsmaatschappij diensten beheer winkels detailhandel distributie nederlandse koninklijke',
  'forsaljning forsaljnings handel tjanster forvaltning konsern koncernen salg tjenester myynti palvelut yhtyma konserni kauppa',
  'forsaljningsaktiebolag detaljhandel dotterbolag butikker butiker',
  // Polish, Czech, Slovak, Hungarian, South Slavic, Romanian
  'sprzedaz handlowa handlowy uslugi dystrybucja spolka oddzial zaklady przedsiebiorstwo dystrybucyjna logistyka',
  'obchod obchodni sluzby sluzby distribuce prodej spolecnost spravy pobocka velkoobchod obchodny spolocnost',
  'kereskedelmi kereskedelem szolgaltato szolgaltatasok ertekesito forgalmazo uzletlanc aruhazak ugyviteli',
  'trgovina trgovine trgovinsko usluge prodaja distribucija grupacija poslovni sistem sustav preduzece predstavnistvo maloprodaja',
  'vanzari comert distributie servicii comercial sucursala',
  // Turkish
  'grubu ticaret ticari satis pazarlama dagitim hizmetleri hizmet sanayi sirketler sirketi isletmeleri magazacilik malzemeleri',
  'perakende tic san ve paz dis ithalat ihracat urunleri',
  // Russian, Ukrainian and Greek, romanised
  'torg torgovyi torgovaya treid gruppa kompaniya prodazhi distribyutsiya lizing riteil logistika upravlyayushchaya',
  'anonimi anonymi anonymos emporiki etairia etaireia eteria omilos ypiresies viomichaniki yperagores mae aee monoprosopi sia',
  // Indonesian, Vietnamese, Finnish
  'perdagangan distribusi dagang jasa cong ty thuong mai dich vu osake yhtio julkinen',
];

/**
 * Words that any business may have in its name: `services`, `group`, `media`. Subsidiaries have them, and so have namesakes. Folded. Our
 * own list.
 */
export const genericWords: readonly string[] = [
  'services service servicing group groups holding holdings trading trade international intl global worldwide world media marketing',
  'digital online web internet interactive solutions management mgmt logistics capital investment investments partners ventures',
  'technology technologies tech systems system development company companies enterprise enterprises business businesses network',
  'networks communications products product commerce ecommerce labs innovation innovations properties',
  'property assets general first prime plus one direct connect platform platforms personal family shared core domestic',
  'central office offices associates association consumer customer unit division advertising ads advertisements wholesale merchant',
  'merchants seller sellers corporate research servizi servizio servicios servicio servicos servico soluciones solucoes soluzioni',
  'grupo gruppo groupe gruppe gruppen grup grupa skupina csoport groep konzern koncern internacional internazionale internationale',
  'internasional globale mondial mondiale tecnologia tecnologias gestion gestione gestao inversiones inter universal export exports',
  'import imports sourcing supply intellectual www net org com app limited private public',
];

/**
 * Words of a trade: an own subsidiary when the name is distinctive, often another company when it is a common word. Folded. Our own list.
 */
export const tradeWords: readonly string[] = [
  'casualty indemnity allgemeine liability vida vie hogar rechtsschutz krankenversicherung lebensversicherung haftpflicht',
  'unterstutzungs kasse kassen biztositas electricidad gaz elettricita netz netze grid kabel cable fibre fibra mobil mobiltelefon',
  'telefon telefonia telephone telefonica celular cellular medien medios medias bucher livres libros boeken knjige ksiazki kirjat',
  'papeterie coffees cereals pasta snack tiernahrung petfood cheese milk meat fish seafood fruit vegetables frozen bread',
  'confectioners baumarkt bouwmarkt bricolaje bricolagem mobler huonekalut namestaj nabytek meble butor fashions sunglasses kids',
  'junior bebe sportartikel schuhe chaussures zapatos calcados scarpe obuv cipo bekleidung vetements ropa abbigliamento odziez',
  'accessoires wellbeing lodging accommodation residences marinas ski autocentres autoteile werkstatt workshops roadside assistance',
  'tolls fleet fleets carsharing sharing ride rides rider riders chauffeurs cash carry warehouses hypermarkets supermarkets',
  'supermarkt supermarche convenience grocery groceries epicerie alimentari karten kort korttipalvelu cartes tarjetas cartoes carte',
  'sparen savings ahorro epargne hipoteca hipotecario immobilienfinanzierung factor trustee trust fiduciary pensions pensiones',
  'retirement annuity assetmanagement kapitalanlage fonds fondos fundos investimentos investeringar sijoitus inwestycje studios',
  'arcade consoles motorsport live rewards loyalty frequent flyer miles prepaid works portal webportal order orders invoicing people',
  'talent recruiting hr insights lab iot edge embedded silicon chips memory storage display displays surgical cardiology',
  'selfmedication animalhealth elevator escalators facade fasteners adhesives sealants paints colors pigments fragrance flavors',
  'environmental recycling waste wastewater utilities boilers hydro hydrogen ev emobility',
  'finance financial financing financials bank banking banque banca banco banka banken bankasi wealth asset assets insurance assurance assurances versicherung versicherungs',
  'versicherungen assicurazioni vita seguros seguro sigorta forsakring forsikring verzekeringen ubezpieczenia pojistovna biztosito osiguranje iard',
  'pension penzijni fund funds securities invest investors investor credit kredit mortgage jelzalogbank hypothek factoring reinsurance',
  'naftowy petroleo petrol olaj gazipari neft energy energie energia energi energy power gas electric electrical electricity strom solar renewables green water waters',
  'electronics electronic elektronik electronica eletronica elettronica appliances appliance devices device hardware',
  'software cloud data computing computer computers it security cyber mobile telecom telecommunications telekom wireless broadband fiber telekomunikasi',
  'motor automotive automobile automobiles automobil autos auto car cars vehicle vehicles bus buses otomotiv otomobil',
  'automobili automoviles automobiles aviation aviacion airlines airways air lines flights transportation',
  'pharma pharmaceutical pharmaceuticals pharmaceuticas healthcare health medical medicine diagnostics vaccines lifesciences',
  'sciences science care consumer lifestyle nutrition baby skincare cosmetics cosmeticos cosmetique beaute parfums fragrances luxe',
  'food foods beverages beverage bakery bakeries drinks dairy coffee chocolate confectionery snacks brewery breweries wine spirits gida alimentos',
  'sports sport sportswear athletics footwear apparel fashion clothing jewelry watches eyewear optical opticians obuwie shoes',
  'calzature cipokereskedelmi lederwaren bags furniture kitchen kitchens bath home homes hausgerate tools power toys games gaming',
  'entertainment music pictures film films television tv broadcasting video streaming',
  'vacations holidays travel resorts cruises leisure fitness restaurants eats catering tours mobility rent',
  'equipment thermotechnik',
  'reifen reifenwerke pneus pneumatiques pneumatici',
  'pet petcare gaming esports printing imaging cameras',
  'supermarket hypermarket drogerie drogeriemarkt pharmacy apotheke market markt marketplace delivery taxi fulfilment fulfillment express post mail parcel',
  'elevators lifts hissit consumerlifestyle renting bikes mobile moviles moveis lebensmittel card cards kreditkarten',
  'telekommunikation telekomunikacije telecomunicaciones telecomunicazioni airports automation sensors',
  'technik technika technique techniques coatings coating laboratorios laboratories laboratoires laboratory labor renovaveis renovables rinnovabili renouvelables',
  'energias energies energetyka energetika energieversorgung hotels resort cruise cruises markets vision video videos messaging conferencing fertigung',
  'livsforsikring forsakringar vakuutus zivotni zycie eiendom fastigheter kiinteistot mortgages hipoteczny hypotecni zentralfinanz',
  'ophthalmology oncology therapeutics biosciences bioscience generics consumerhealth cropscience nutrition ingredients',
  'petcare pets waters beer beers wines drinks juices tea tissue papers',
  'sneakers boots denim jeans jewellery jewelry watchmaking horlogerie timepieces fine perfume makeup sellier maroquinerie pelletteria',
  'kitchenware cookware appliances vacuum washing cooling refrigeration airconditioning climate klima heiztechnik lufttechnik thermal hydraulics pneumatics',
  'bearings gears drives motion controls control instruments instrumentation measurement metrology compressors pumps valves turbo engines',
  'engine powertrain braking brakes steering seating interiors exteriors chassis tyre wheels bicycle bike scooter scooters motorrad moto motos',
  'avionics helicopters airports airport handling ground cabin holidays holiday vacances ferien urlaub booking bookings tickets ticketing',
  'racing cinema cinemas kino books booksellers buch tv',
  'stationery toys brettspiele puzzles animation comics licensing merchandise merchandising fanshop expo exhibitions messe congress events ticket',
  'hosting domains servers infrastructure web3 developer developers apps app messenger social search maps workspace office suite cloudservices',
  'fulfillment warehousing warehouse freight forwarding express courier couriers parcels postal mail line lines terminals ports',
  'childcare homecare optics audiology diagnostics imaging radiology',
  'farma farmaceutica farmaceutici pharmaceutics mode moda couture maison airline airliner brouwerij brouwerijen brauerei brasserie brasseries cerveceria',
  'cervejaria birra brewing bottlers bottling abfullung trademark trademarks outsourcing analytics intelligence ai quantum',
  'workwear lingerie perfumes perfumery kosmetik beauty cosmetic toiletries soap detergents audio camera cameras optics lenses phones smartphones',
  'kuche kuchen bad mobel moebel meubles muebles mobili arredamento',
  'reisen reise viajes viaggi voyages ferries metro transit parking fuel fuels lubricants chargers charging',
  'telematics navigation maps brokerage custody ratings research surveys kredi katilim emeklilik yatirim menkul',
  'icecek ilac teknoloji enerji giyim ayakkabi havayollari hava yollari',
  'directories wirtschaftsprufungsgesellschaft cosmetica hygiene personal grand house passenger outlet wealth healthcare takeaway kart pazaryeri moda',
];

/**
 * Words of industries that companies of one family divide among themselves: often a sister or a namesake, even of a distinctive name.
 * Folded. Our own list.
 */
export const industryWords: readonly string[] = [
  'chemical chemicals chemie chimie quimica kimya steel stahl metals metal materials mining engineering machinery marine maritime',
  'shipping cargo kargo naval trucks truck lkw nutzfahrzeuge rubber glass paper packaging plastics polymers cement concrete tiles',
  'floors lighting leuchten lampen garden outdoor agriculture farming seeds animal agro agricultural press magazine news publishing',
  'verlag verlage zeitung radio records recordings hospitality biotech biotechnology genomics education learning environment textile',
  'textiles tekstil tobacco tabac cigars yarn fibers fibres loans lending life leben heavy foundry voice industries industrial',
  'industry professional professionals semiconductor semiconductors nuclear wind turbines rail railways tooling welding robotics',
  'robotica space satellite defense defence aerospace motors motorcycles battery batteries crypto blockchain wallet mineral leather',
  'luggage crop resources oil petroleum casino poker betting sportsbook lottery logistica lojistik insaat denizcilik turizm gemi',
  'staffing workforce payroll rentals wood forest tires tyres',
];
