/** Words of a dealer, franchisee, repair shop, helper or other business around a brand. Folded. Our own list. */
export const dealerWords: readonly string[] = [
  // Dealers and franchisees
  'store shop shops academy website site officina licence license',
  'dealer dealers dealership dealerships reseller resellers authorised authorized franchise franchisee franchisees licensee licensees owner owners',
  'autohaus autohandel autozentrum handler vertragshandler gebrauchtwagen concession concessionnaire concessionaria concessionario concesionario',
  'concessionaria garage bayi bayii yetkili servisi servis franchising lizenznehmer dystrybutor salon bayilik dealeri agentes used gebrauchte',
  'affiliate affiliates afiliados afiliado parceiro consultora promoter promoters fan fans fanclub hackers unofficial inoffiziell tankstelle posto stacja',
  // Repair, support, parts
  'repair repairs reparatur reparaturen reparation reparations riparazione reparacion reparacao naprawa opravy javitas tamir tamiri kundendienst',
  'support helpline helpdesk hotline help hilfe refund refunds setup troubleshooting unlock recovery spares parts accessories ersatzteile ricambi',
  'pezzi repuestos spare aftermarket rental rentals hire vermietung autovermietung verleih noleggio alquiler location kuljetus vuokraus aufbau montage',
  'center centre centrum zentrum hauptbahnhof center',
  // Sellers around a brand
  'deals deal coupon coupons gutschein gutscheine voucher vouchers discount discounts rabatt promo promos promotion promotions outlet bundles gift gifts',
  'cheap gunstig buy kaufen comprar sell reviews review bewertungen templates tickets ticket jobs job karriere career careers stellenangebote recruitment',
  'scam watch alert alerts apply tips guide guides tutorial tutorials hack hacks expert experts experte experten specialist specialists pros pro',
  'exchange swap secondhand vintage preloved replica replicas sets nastroika directory finder comparison vergleich',
];

/** Words of an agency, a consultant or an agent. Folded. Our own list. */
export const agencyWords: readonly string[] = [
  'agency agencies agentur agenturen agence agences agencia agencias agenzia agenzie agentschap byra bureau agentura ugynokseg ajansi ajans agentstvo',
  'agent agents agente agenti broker brokers makler maklerburo courtier courtage corredor corretora posrednik vertretung generalvertretung',
  'hauptvertretung generalagentur versicherungsagentur geschaftsstelle vertreter consultant consultants consulting consultoria consultores',
  'consulenza beratung berater unternehmensberatung conseil conseils doradztwo coaching coach trainer training institute institut expert',
  'seo sem ppc leads advertisers influencer influencers designer designers developer developers freelancer',
];

/** Words of professions and local trades: a business of its own, whose owner or place happens to share the name. Folded. Our own list. */
export const professionWords: readonly string[] = [
  'lawyer lawyers law attorney attorneys solicitors barristers legal avocat avocats avvocato abogado abogados abogada advogados rechtsanwalt rechtsanwalte',
  'rechtsanwaltin anwalt anwaltskanzlei kanzlei kancelaria ugyved notar notary notaire notario steuerberater tax accountants accounting accountancy',
  'advokatbyra legale avukat hukuk yurist yuristy konsultatsii kontsultatsii cpa wirtschaftsprufer',
  'photography photographer photo fotografie fotograf fotografo fotografia film art arts gallery galerie galleria atelier architetti architects architekten',
  'architecture interiors brautmoden wedding weddings events dj band books author orchestra museum theatre theater',
  'realty realtor realtors immobilien immobilier immobiliare immobiliaria inmobiliaria imoveis nieruchomosci ingatlan reality makelaars makelaar makelaardij',
  'homes housing apartments apartmani apartamentos apartments condos villas hostel homestay inn lodge hotel hoteles hotels hotell pension manor campground',
  'plumbing plumber plombier plomberie heating heizung sanitar hvac roofing dachdecker electrician elektriker electricien electricista carpentry',
  'building builders cleaning reinigung nettoyage pulizie limpieza supply',
  'schreinerei tischlerei maler malerbetrieb painting landscaping gartenbau hoveniers excavating excavation paving remodeling renovation bau baumeister',
  'construction bricolage landscaping locksmith schlusseldienst movers moving umzuge towing paysagiste',
  'hair hairdresser friseur friseursalon coiffure barber barbershop beauty salon nails spa wellness massage yoga pilates gym dance tanzschule estetik',
  'merkezi kosmetikstudio clinic clinica klinik clinique cabinet dental dentist dentistry dentaire zahnarzt zahnarztpraxis orthodontics physio',
  'physiotherapie physiotherapy chiropractic veterinary vet tierarzt hospital krankenhaus praxis doctor doctors ordination optik',
  'school schools schule fahrschule university universidad universita universitat universitesi universitas universite college kindergarten montessori',
  'preschool church kirche parish ministries temple mosque chamber foundation fundacion fondazione fondation charity verein club association',
  'farm farms ranch orchard winery vineyards nursery kennels stables racing football fussball futbol soccer rugby golf',
  'restaurant ristorante restaurante gasthaus gasthof pizzeria trattoria kebab imbiss bistro bar pub grill diner cafe kaffee konditorei backerei',
  'bakery fleischerei metzgerei boulangerie eatery tearoom eiscafe',
  'jeweler jewelers jewellers juwelier florist flowers blumen taxi limousine limo chauffeur funeral begravningsbyra bestattungen pompes funebres',
  'union cooperative county city town village district council gemeinde stadt',
];

/** Generic legal or personal ties: `& Sons`, `& Partner`. Folded. Our own list. */
export const kinshipWords: readonly string[] = [
  'sons son sohn sohne bros brothers bruder fils frere freres figli fratelli hijos hermanos irmaos zoon zonen soner sonner synowie',
  'partner partnerzy partneri associes associati associates family familie inhaber',
];
