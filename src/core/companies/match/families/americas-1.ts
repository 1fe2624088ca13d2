/** Families of companies (`parseFamilies`). */
export const familiesAmericas1 = `
US 3M; Minnesota Mining and Manufacturing | Post-it; Scotch-Brite; Nexcare; Ace Bandage; Futuro | @3m.com
US A. O. Smith; AO Smith | American Water Heaters; State Water Heaters; Lochinvar | @aosmith.com
US Abbott; Abbott Laboratories | FreeStyle Libre; Abbott Diabetes Care; Similac; PediaSure; St. Jude Medical; Alere; Abbott Rapid Diagnostics
US AbbVie | Allergan; Allergan Aesthetics; Botox Cosmetic; CoolSculpting; Juvéderm; Pharmacyclics
IE Accenture | Accenture Song; Avanade; Droga5; Fjord; Karmarama
US Adobe; Adobe Systems | Behance; Marketo; Magento; Frame.io; Fotolia; Omniture
US AMD; Advanced Micro Devices | Xilinx; ATI Technologies; Ryzen
US Aflac; American Family Life Assurance Company of Columbus | Aflac Incorporated
US Agilent; Agilent Technologies | Dako; BioTek Instruments
US Air Products; Air Products and Chemicals | @airproducts.com
US Airbnb | HotelTonight; Luxury Retreats
US Akamai; Akamai Technologies | Linode; Guardicore
US Allegion | Schlage; Von Duprin; SimonsVoss; Interflex
US Allstate | Esurance; Encompass Insurance; National General; Answer Financial; SquareTrade; Arity
US Alphabet; Google; Google Ireland; Google Commerce; Google Payment; 谷歌; グーグル; 구글; Google LLC; Google Asia Pacific; Google Voice; Charleston Road Registry | YouTube; Waymo; Fitbit; Verily; DeepMind; Nest Labs; DoubleClick; Waze; Wing Aviation; Mandiant; AdMob; Looker Data Sciences; Calico Life Sciences; Isomorphic Labs; Google Play; Google Cloud; Chronicle; Wiz; Android; Fitbit International | @abc.xyz google.com | !Alphabet (GB); Alphabet Fuhrparkmanagement; Alphabet Energy; Alphabet International GmbH; Alphabet Nederland; Alphabet France; Alphabet Italia; Alphabet España; Alphabet Fuhrpark; Alphabet International; Alphabet Photography
US Altria | Philip Morris USA; U.S. Smokeless Tobacco; NJOY; John Middleton; Helix Innovations
US Amazon; Amazon.com; Amazon Europe Core; Amazon Services Europe; Amazon EU; Amazon Online Germany; Amazon Media EU; Amazon Digital; 亚马逊; アマゾン; アマゾンジャパン; 아마존 | Amazon Web Services; Audible; Twitch; Twitch Interactive; IMDb; Zappos; Ring; Whole Foods Market; Goodreads; AbeBooks; MGM Studios; Metro-Goldwyn-Mayer; Kindle; Blink Home; eero; One Medical; PillPack; ComiXology; Shopbop; Souq; Zoox; Box Office Mojo; Blink; Amazon Prime; Prime Video; Book Depository; Amazon.de | !Amazonas; Amazon Pest Control; Amazon Tropical; Amazon Herb; Amazon Watch; Amazon Hose; Amazon Forest
US American Airlines; AMR Corporation | Envoy Air; PSA Airlines; AAdvantage | @aa.com
US American Electric Power; AEP | AEP Ohio; AEP Texas; Appalachian Power; Indiana Michigan Power | @aep.com
US American Express; Amex | American Express Travel Related Services; Resy; Kabbage; Rosenbluth
US AIG; American International Group | Corebridge; Lexington Insurance; AIG Direct; Travel Guard; Private Client Select | @aig.com
US Amgen | Horizon Therapeutics; Immunex; Onyx Pharmaceuticals; ChemoCentryx
US Analog Devices | Maxim Integrated; Linear Technology
GB Aon | Hewitt; Aon Hewitt; Benfield; NFP Corp
US Apple; Apple Distribution International; Apple Operations; Apple Sales International; 苹果; 苹果电脑; アップル; 애플 | Beats Electronics; Beats by Dr. Dre; Shazam; Claris International; FileMaker; iTunes; Apple Services Latam | !Apple Hospitality; Apple Leisure; Apple Bank; Apple Federal Credit Union; Apple Rubber; Apple Auto; Apple American Group; Apple Vacations; Apple Federal; Apple American; Apple Music Festival; Apple Tree; Apple Montessori; Apple Corps; Applebee
US Applied Materials | Varian Semiconductor
US Archer Daniels Midland; ADM | Wild Flavors; Neovia | @adm.com
US Arthur J. Gallagher; Gallagher | Gallagher Bassett; AssuredPartners | @ajg.com
US AT&T; AT and T | Cricket Wireless; AT&T Mobility; AT&T Services; FirstNet; Pacific Bell; BellSouth; Southwestern Bell | @att.com
US Autodesk | Tinkercad; BIM 360; PlanGrid; Innovyze; AutoCAD
US ADP; Automatic Data Processing | Celergo; WorkForce Software | @adp.com
US AutoZone | ALLDATA; AutoZoners; Duralast
US Avery Dennison; Avery | Vestcom
US Axon; Axon Enterprise | Taser International
US Baxter; Baxter International | Hillrom; Hill-Rom; Gambro
US BD; Becton Dickinson; Becton, Dickinson and Company | C. R. Bard; CareFusion; Bard Peripheral Vascular | @bd.com
US Berkshire Hathaway | GEICO; Government Employees Insurance Company; Duracell; Fruit of the Loom; Dairy Queen; International Dairy Queen; BNSF Railway; Clayton Homes; NetJets; See's Candies; Brooks Sports; Helzberg Diamonds; Nebraska Furniture Mart; Benjamin Moore; Shaw Industries; Precision Castparts; Lubrizol; MiTek; Marmon; Pilot Travel Centers; HomeServices of America; Pampered Chef
US Best Buy | Geek Squad; Magnolia Home Theater; Insignia; Pacific Sales; Future Shop; Lively
US Biogen | Reata Pharmaceuticals; Biogen Idec
US BlackRock | iShares; Aladdin; eFront; Preqin; Merrill Lynch Investment Managers
US Block; Square | Cash App; Afterpay; Clearpay; TIDAL; Weebly; Squareup | @block.xyz squareup.com cash.app
US Bank of America; BofA; BofA Securities; BofA Finance | Merrill Lynch; Merrill; Merrill Edge; U.S. Trust; FIA Card Services; MBNA America | @bankofamerica.com
US BNY Mellon; BNY; Bank of New York Mellon; The Bank of New York Mellon | Pershing; Dreyfus; Newton Investment Management; Insight Investment; Walter Scott | @bny.com bnymellon.com
US Boeing | Jeppesen; Aviall; Boeing Defence; Insitu; McDonnell Douglas; Spirit AeroSystems; Aurora Flight Sciences
US Booking Holdings; Booking Group; The Priceline Group | Booking.com; Priceline; priceline.com; Agoda; KAYAK; OpenTable; Rentalcars.com; TravelJigsaw; Cheapflights; momondo; HotelsCombined; Rocketmiles; swoodoo; checkfelix; Getaroom; FareHarbor | @bookingholdings.com
US Boston Scientific | Axonics; BTG plc; Guidant; Silk Road Medical | @bostonscientific.com
US Bristol Myers Squibb; Bristol-Myers Squibb; BMS | Celgene; Juno Therapeutics; Karuna Therapeutics; Mirati Therapeutics; Turning Point Therapeutics; E.R. Squibb & Sons | @bms.com
US Broadcom; Avago | VMware; CA Technologies; Symantec Enterprise; Brocade; Carbon Black
US Brown-Forman | Jack Daniel's; Woodford Reserve; Herradura; Old Forester; Chambord; GlenDronach; El Jimador | @brown-forman.com
US Capital One | Discover Financial; Discover Bank; Capital One Auto Finance; Paribus; Diners Club International | @capitalone.com
US Cardinal Health | Leader Brand; Edgepark; Medicine Shoppe
US Carnival; Carnival Corporation; Carnival plc | Carnival Cruise Line; Princess Cruises; Holland America Line; P&O Cruises; Cunard; Costa Crociere; AIDA Cruises | @carnivalcorp.com
US Carrier; Carrier Global | Viessmann Climate Solutions; Viessmann Deutschland; Toshiba Carrier; Bryant Heating; Kidde; Automated Logic; Riello | @carrier.com
US Carvana | ADESA; Car360
US Caterpillar; CAT | Perkins Engines; Solar Turbines; Progress Rail; MaK; Cat Financial; Caterpillar Financial; FG Wilson | @cat.com caterpillar.com
US CBRE | Trammell Crow Company; Turner & Townsend; Industrious; CB Richard Ellis
US CDW | Sirius Computer Solutions; Kelway
US Centene | Ambetter; WellCare; Fidelis Care; Health Net; Magellan Health; Superior HealthPlan; Sunshine State Health Plan
US Charles Schwab; Schwab | TD Ameritrade; optionsXpress; thinkorswim; USAA Investment | @schwab.com
US Charter Communications | Spectrum; Time Warner Cable; Bright House Networks; Spectrum Management Holding; Spectrum Reach | @spectrum.com charter.com | !Spectrum Brands; Spectrum Pharmaceuticals; Spectrum Health
US Chevron | Texaco; Caltex; Havoline; Noble Energy; Hess; Delo; Chevron Phillips
US Chipotle; Chipotle Mexican Grill; CMG Strategy | @chipotle.com
CH Chubb; Chubb Limited; Chubb European Group; Chubb INA | ACE American Insurance; ACE European Group; Federal Insurance Company; Combined Insurance; Westchester Surplus | !Chubb Fire; Chubb Locks; Chubb Safes
US Church & Dwight | Arm & Hammer; OxiClean; Trojan Condoms; Batiste; Waterpik; Nair; First Response | @churchdwight.com
US Cigna; The Cigna Group | Express Scripts; Evernorth; MDLIVE; Accredo; HealthSpring; Connecticut General Life
US Cintas | G&K Services; Unitog
US Cisco; Cisco Systems | Webex; Meraki; Splunk; Duo Security; AppDynamics; ThousandEyes; Umbrella | !Sysco; Cisco Bottling
US Citigroup; Citi; Citibank; Citicorp | Banamex; Citibanamex; Banco Nacional de México; Citi Handlowy; Bank Handlowy w Warszawie; CitiMortgage; Salomon Smith Barney | @citi.com citigroup.com | !Citizens Financial; Citi Trends; Citizens Bank
US Citizens Financial; Citizens Bank | Citizens Private Bank; RBS Citizens | @citizensbank.com
US Clorox | Brita; Burt's Bees; Hidden Valley; Glad Products; Kingsford; Pine-Sol; Liquid-Plumr
US Coca-Cola; Coca-Cola Company; The Coca-Cola Company; Coke; 可口可乐; 日本コカ・コーラ; コカ・コーラ; 코카콜라; Coca Cola; Coca-Cola Services; Coca-Cola Ireland; Atlantic Industries; Beverage Services | Fanta; Sprite; Minute Maid; Simply Orange; Vitaminwater; smartwater; Costa Limited; Costa Coffee; Innocent Drinks; innocent ltd; Fairlife; Topo Chico; BodyArmor; Honest Tea; Powerade; Dasani; Glacéau; Apollinaris; ViO Wasser; Bonaqua; Del Valle; Fuze Beverage; Schweppes Suppliers; Vio; Mezzo Mix; Fuze Tea; Ciel; Jugos del Valle; Leão Alimentos; Ayataka; Georgia Coffee; Barq's; Fresca; Peace Tea; Gold Peak; Chaudfontaine; Coca-Cola İçecek Dağıtım | @coca-cola.com coca-colacompany.com | !Coca-Cola Consolidated; Coca-Cola Bottling Company UNITED; Coca-Cola FEMSA; Coca-Cola HBC; Coca-Cola Europacific; Coca-Cola İçecek; Coca-Cola Hellenic; Coca-Cola Andina; Coca Cola HBC; Coca-Cola European Partners; Coca-Cola Bottling; Coca-Cola Bottlers; Coca Cola FEMSA; Coca-Cola Embonor; Coca-Cola Amatil; Coca-Cola United; Coca-Cola Beverages; Coca-Cola Southwest; Coca-Cola Erfrischungsgetränke; Coca-Cola Refreshments; Coca-Cola Collectors; コカ・コーラ ボトラーズ; コカ・コーラボトラーズ; 北海道コカ・コーラ; 沖縄コカ・コーラ; Кока-Кола ЭйчБиСи; Coca-Cola Hellas; 太古可口可乐; 中粮可口可乐
US Cognizant; Cognizant Technology Solutions | Netcentric; TriZetto; Belcan
US Coinbase; Coinbase Global | Deribit; Coinbase Custody
US Colgate-Palmolive; Colgate; Palmolive | Hill's Pet Nutrition; Tom's of Maine; elmex; meridol; hello products; Sanex; EltaMD | @colgatepalmolive.com colgate.com
US Comcast; Comcast Cable; Xfinity | NBCUniversal; NBC Universal; Peacock TV; Universal Studios; Universal Pictures; DreamWorks Animation; Sky UK | @comcast.com xfinity.com
US ConAgra; Conagra Brands | Healthy Choice; Marie Callender's; Slim Jim; Birds Eye Foods; Orville Redenbacher's; Duncan Hines; Reddi-wip
US ConocoPhillips | Conoco; Marathon Oil; Concho Resources; Burlington Resources | !Phillips 66
US Constellation Brands | Corona Extra; Modelo Especial; Robert Mondavi Winery; Kim Crawford; Casa Noble; Pacifico Beer; High West Distillery | @cbrands.com
US Constellation Energy | Constellation NewEnergy; Exelon Generation; Calpine | @constellationenergy.com constellation.com
US Corning | Corning Optical Communications; Gorilla Glass; Corning Life Sciences | !Corning Credit Union; Owens Corning; Corning Natural Gas
US Corteva | Pioneer Hi-Bred; Pioneer Seeds; Dow AgroSciences; Brevant; Stoller
US CoStar | Apartments.com; LoopNet; Homes.com; Homesnap; BizBuySell; STR Global; OnTheMarket
US Costco; Costco Wholesale | Kirkland Signature; Costco Logistics
US Coty | CoverGirl; Rimmel; Sally Hansen; Max Factor; philosophy; Kylie Cosmetics; adidas Fragrances
US CrowdStrike | Humio; Preempt Security
US Cummins | Meritor; Accelera; Onan; Jacobs Vehicle Systems
US CVS; CVS Health; CVS Pharmacy | Aetna; Caremark; MinuteClinic; Oak Street Health; Signify Health; Omnicare; Longs Drug Stores | @cvs.com cvshealth.com
US Danaher | Beckman Coulter; Cytiva; Leica Microsystems; Leica Biosystems; Cepheid; SCIEX; Pall Corporation
US Darden; Darden Restaurants | Olive Garden; LongHorn Steakhouse; The Capital Grille; Yard House; Cheddar's Scratch Kitchen; Bahama Breeze; Seasons 52
US Deckers; Deckers Brands; Deckers Outdoor | UGG; HOKA; Teva; AHNU; Koolaburra; Hoka One One | @deckers.com
US Deere; Deere & Company; John Deere | Wirtgen; Vögele; Hamm AG; Kleemann; John Deere Financial; Blue River Technology; Kreisel Electric | @deere.com johndeere.com
US Dell; Dell Technologies; EMC; Dell EMC | Alienware; Secureworks; EMC Corporation | @dell.com
US Delta Air Lines; Delta Airlines | Delta Vacations; Delta Sky Club; Monroe Energy; Endeavor Air; MLT Vacations; Delta Private Jets; DAL Global Services | @delta.com | !Delta Faucet; Delta Dental; Delta Electronics; Delta Galil; Delta Pronatura; Delta Children; Delta Hotels; Delta Community
US Dexcom | Stelo; TypeZero
US Dick's Sporting Goods | Golf Galaxy; Foot Locker; Public Lands; Moosejaw; GameChanger; Champs Sports; WSS | @dickssportinggoods.com
US Disney; The Walt Disney Company; Walt Disney; Disney DTC; Disney Streaming; Disney Interactive | Hulu; ESPN; Pixar; Marvel; Lucasfilm; National Geographic Partners; Twentieth Century Fox; 20th Century Studios; Searchlight Pictures; ABC News; American Broadcasting Companies; Euro Disney; Disneyland; Disneyland Paris; Hotstar; Disney+; Star India; FX Networks; BAMTech; Magical Cruise Company; Adventures by Disney; Freeform | @disney.com disneyplus.com thewaltdisneycompany.com
US Dollar General; Dolgencorp | pOpshelf; DG Market
US Dollar Tree | Greenbrier International; Dollar Tree Stores
US Dominion Energy; Dominion | Virginia Electric and Power; Dominion Energy South Carolina; Virginia Power
US Domino's; Domino's Pizza; Domino's Pizza Franchising | @dominos.com | !Domino Printing; Domino Amjet; Domino Data Lab
US DoorDash | Wolt; Deliveroo; Caviar; Bbot; Chowbotics; SevenRooms; Roofoods
US Dow; The Dow Chemical Company; Dow Chemical | Dow Corning; Rohm and Haas; Union Carbide; Dow Silicones | !Dow Jones
US D.R. Horton; DR Horton | Emerald Homes; Forestar; DHI Mortgage; Express Homes; Freedom Homes; DHI Title; Truland Homes | @drhorton.com
US DTE Energy; DTE; Detroit Edison | DTE Electric; DTE Gas | @dteenergy.com
US Duke Energy | Duke Energy Carolinas; Duke Energy Florida; Piedmont Natural Gas; Progress Energy; Cinergy | @duke-energy.com
US DuPont; DuPont de Nemours; E. I. du Pont de Nemours | Tyvek; Kevlar; Laird Performance Materials; Corian; Nomex; Spectrum Plastics | !Dupont Registry; DuPont Hotel; S.T. Dupont
IE Eaton; Eaton Corporation | Cooper Industries; Bussmann; Tripp Lite; Moeller; Cutler-Hammer; Crouse-Hinds; Tripplite | !Eaton Vance
US eBay | TCGplayer; Caramel; Qoo10 Japan; eBay Marketplaces; GittiGidiyor
US EchoStar | DISH Network; DISH DBS; Boost Mobile; Sling TV; Hughes Network Systems; HughesNet; DISH Wireless
US Ecolab | Nalco; Nalco Water; Swisher Hygiene; Purolite; Ecolab Deutschland
US Edison International | Southern California Edison; SCE | @edison.com
US Edwards Lifesciences | Sapien | @edwards.com
US Electronic Arts; EA; EA Sports | BioWare; DICE; Respawn Entertainment; Maxis; PopCap; Codemasters; Glu Mobile | @ea.com
US Elevance Health; Elevance; Anthem | Anthem Blue Cross; Carelon; Wellpoint; Amerigroup; CareMore; Simply Healthcare; Empire BlueCross BlueShield | @elevancehealth.com anthem.com
US Emerson; Emerson Electric | AspenTech; Aspen Technology; National Instruments; Fisher Controls; Rosemount; Branson Ultrasonics; RIDGID | !Emerson College; Emerson Radio; Emerson Hospital
US Entergy | Entergy Texas; Entergy Louisiana; Entergy Arkansas
US Equifax | Kount; TALX; The Work Number; Boa Vista Serviços; Veda; Equifax Workforce Solutions; TrustedID
US Equinix | Telecity; Packet; MainOne
US Estée Lauder; The Estée Lauder Companies; Estée Lauder Companies; ELC Online; Estee Lauder Cosmetics; ELCA | Clinique; MAC Cosmetics; M·A·C; Make-Up Art Cosmetics; Bobbi Brown; La Mer; Jo Malone London; Jo Malone; Aveda; Origins; Tom Ford Beauty; Smashbox; Too Faced; The Ordinary; DECIEM; Bumble and bumble; Dr.Jart+; Le Labo; Aramis; KILIAN; Glamglow; Darphin | @elcompanies.com esteelauder.com
US Exelon | ComEd; Commonwealth Edison; PECO Energy; Baltimore Gas and Electric; BGE; Pepco; Delmarva Power
US Expedia; Expedia Group | Hotels.com; Vrbo; HomeAway; Orbitz; Travelocity; Hotwire; Wotif; ebookers; CheapTickets; trivago; CarRentals.com; Abritel; FeWo-direkt; Stayz; Bookabach; EAN.com; Lastminute.com.au; BEX Travel; HomeAway.com; Travelscape | @expedia.com expediagroup.com
US ExxonMobil; Exxon Mobil; Exxon; ExxonMobil Oil | Mobil; Mobil 1; Esso; XTO Energy; Pioneer Natural Resources; Imperial Oil; Denbury
US FedEx; Federal Express; Federal Express Corporation | TNT Express; FedEx Office; FedEx Ground; FedEx Freight; ShopRunner; GENCO; Kinko's
US Ferguson; Ferguson Enterprises | Ferguson Home; Wolseley Canada; Build.com; Signature Hardware; Ferguson Bath | !Ferguson Moving; Massey Ferguson; Ferguson Marine
US FIS; Fidelity National Information Services | SunGard; Metavante | @fisglobal.com
US Fidelity; Fidelity Investments; FMR; Fidelity Brokerage Services | Fidelity Distributors; Fidelity Charitable; National Financial Services; eMoney Advisor; FIL Investment | !Fidelity National; Fidelity Bank; Fidelity Life
US First Solar | @firstsolar.com
US FirstEnergy | Ohio Edison; Jersey Central Power & Light; Toledo Edison; Penelec; Mon Power; Potomac Edison; Met-Ed | @firstenergycorp.com
US Fiserv; First Data | Clover Network; Clover; CardConnect; Carat; Finxact; BluePay; STAR Networks | @fiserv.com
US Ford; Ford Motor Company; Ford Motor; Ford-Werke; 福特; 포드; Форд; Ford Retail; Ford France; Ford Italia; Ford España; Ford Polska; Ford Otomotiv; Ford Motor Company Limited; Ford Sollers; Ford India; Ford Brasil; Ford Lusitana; Ford Motor Company of Canada; Ford Pro | Lincoln Motor Company; Ford Credit; Ford Motor Credit Company; Ford Bank; FCE Bank; Ford Smart Mobility | !Ford Foundation; Tom Ford; Ford Models; Ford Otosan; Ford & Sons; Ford Plumbing; Ford Meter; Ford Theatre; Ford & Harrison; Ford Art; Ford's; Ford Smith; Ford City; Ford Country
US Fortinet | FortiGuard; Meru Networks; Lacework
US Fortive | Fluke; Gordian; Accruent; ServiceChannel; Industrial Scientific; Advanced Sterilization Products; ASP
US Fox Corporation; Fox | Fox News; Tubi; Fox Sports; Fox Broadcasting; Fox Television Stations; Credible Labs; Fox Nation | @foxcorporation.com fox.com foxnews.com | !Fox Racing; Fox Rent A Car; Fox Factory
US Gap; Gap Inc; The Gap | Old Navy; Banana Republic; Athleta; GapKids; babyGap; GPS (Great Britain) | @gap.com gapinc.com | !The Gap Partnership; Gap Partnership; Gap Solutions; GAP Insurance
CH Garmin; Garmin International; Garmin Würzburg | Tacx; Firstbeat; JL Audio; Navionics; DeLorme; Vesper Marine; Lumishore
US GE Aerospace; General Electric; GE | GE Aviation; Avio Aero; Dowty Propellers; Unison Industries | @geaerospace.com ge.com | !GE HealthCare; GE Vernova; GE Appliances
US GE HealthCare; GE Healthcare Technologies; GE Medical Systems | Nihon Medi-Physics; Imactis; Caption Health; Datex-Ohmeda; Vivid Ultrasound | @gehealthcare.com
US GE Vernova | GE Renewable Energy; GE Power; GE Grid Solutions; LM Wind Power; GE Wind Energy; GE Digital | @gevernova.com
US Gen Digital; NortonLifeLock; Symantec | Norton; LifeLock; Avast; AVG Technologies; Avira; CCleaner; Piriform | @gendigital.com
US General Mills | Cheerios; Häagen-Dazs; Old El Paso; Nature Valley; Pillsbury; Betty Crocker; Blue Buffalo
US General Motors; GM; General Motors Company; 通用汽车; ゼネラルモーターズ; 한국지엠; General Motors of Canada; General Motors do Brasil; General Motors México; General Motors Europe | Chevrolet; Cadillac; GMC; Buick; OnStar; GM Financial; AmeriCredit; Cruise; BrightDrop; Chevrolet Deutschland; Hummer; Pontiac; OnStar Insurance; ACDelco | @gm.com
US Genuine Parts Company; GPC | NAPA Auto Parts; Motion Industries; Alliance Automotive; NAPA; Repco | @genpt.com
US Gilead; Gilead Sciences | Kite Pharma; Immunomedics; MYR GmbH; CymaBay Therapeutics; Forty Seven
US Global Payments | Heartland Payment Systems; Worldpay; TSYS; EVO Payments; Zego; Total System Services; Xenial | @globalpayments.com
US GoDaddy; GoDaddy.com; Go Daddy; GoDaddy Operating Company | Media Temple; Sucuri; Host Europe; Heart Internet; DomainFactory; Poynt; 123 Reg
US Goldman Sachs; The Goldman Sachs Group; GS Bank | Marcus; Marcus by Goldman Sachs; NN Investment Partners; United Capital Financial Advisers; Ayco
US Grainger; W. W. Grainger | Zoro; Cromwell Group; MonotaRO; Acklands-Grainger; Zoro Tools; Imperial Supplies | @grainger.com
US Halliburton | Landmark Graphics; Baroid; Sperry Drilling; Halliburton Energy Services
US Hanesbrands; HBI Branded Apparel | Hanes; Bonds; Playtex Apparel; Maidenform; Bali; Wonderbra; DIM
US Harley-Davidson; Harley-Davidson Motor Company; Harley Davidson | LiveWire; H-D U.S.A.; HOG; Harley-Davidson Financial Services; Eaglemark Savings Bank | @harley-davidson.com h-d.com
US Hasbro | Wizards of the Coast; Monopoly; Nerf; Play-Doh; Transformers; Peppa Pig; Entertainment One
US HCA; HCA Healthcare | MountainView Hospital; StoneSprings; Sarah Cannon; CareNow; Galen College of Nursing; TriStar Health; HealthONE | @hcahealthcare.com
US Henry Schein | Dentrix; Henry Schein One; Camlog; BioHorizons; Henry Schein Dental; Demandforce; MediFirst | @henryschein.com
US Hershey; The Hershey Company; Hershey's | Reese's; KitKat US; Kisses; Twizzlers; SkinnyPop; Jolly Rancher; Pirate's Booty | @hersheys.com thehersheycompany.com hersheyland.com | !Hershey Entertainment; Hershey Trust; Hershey Creamery
US HPE; Hewlett Packard Enterprise; Hewlett-Packard Enterprise; 慧与; Hewlett Packard Enterprise Development; Hewlett-Packard GmbH; HPE Aruba; HPE Financial Services; Hewlett Packard Enterprise Deutschland; Hewlett-Packard Financial Services; Hewlett Packard Labs; HPE Aruba Networking; Hewlett-Packard International Bank | Aruba Networks; Aruba a Hewlett Packard Enterprise; Juniper Networks; Nimble Storage; Cray; SimpliVity; Zerto; Aruba Networking; GreenLake; Silver Peak; Morpheus; OpsRamp; Axis Security; Silicon Graphics; MapR; Zerto Ltd | @hpe.com | !Hewlett-Packard Inc; HP Inc
US HP; HP Inc; Hewlett-Packard; Hewlett Packard; 惠普; 日本HP; 에이치피; 에이치피코리아; HP Deutschland; HP Inc UK; HP France; HP Italy; HP Canada; HP PPS; HP Printing; HP Computing; HP Development; HP International; HP India; HP Solutions; Hewlett-Packard Development Company; HP Austria; HP Schweiz; HP Belgium; Hewlett-Packard Europe | Poly; Plantronics; HyperX; Polycom; OMEN; Teradici; HP Instant Ink; Bromium; Choose Packaging; Samsung Printing | @hp.com | !HP Enterprise Services; Hewlett Packard Enterprise; Hewlett-Packard Enterprise; HP Hood; H.P. Hood; HP Bulmer; HP Lovecraft; HP Books; HP Financial; HP Sauce; HP Autowash; HP Pelzer; HP Construction; HP Haarforschung; HP Immobilien; HPE; Harry Potter; Hindustan Petroleum; HP Tronic
US Hilton; Hilton Worldwide; Hilton Hotels | Hampton by Hilton; Hampton Inn; DoubleTree; Embassy Suites; Waldorf Astoria; Conrad Hotels; Homewood Suites | !Hilton Grand Vacations; Paris Hilton; Hilton Head
US Honeywell; Honeywell International; Honeywell Technologies; Honeywell Aerospace | Intelligrated; UOP; Tridium; Elster; Novar; Sperian; Movilizer | !Honeywell Pet
US Hormel; Hormel Foods | SPAM; Skippy; Applegate Farms; Planters; Jennie-O; Columbus Craft Meats; Justin's
US Howmet; Howmet Aerospace
US Humana | CenterWell; Conviva Care; Kindred at Home; Humana Military; Enclara
US Huntington Bancshares; Huntington; The Huntington National Bank; Huntington Bank | TCF National Bank; Capstone Partners; Veritex; Cadence Bank | @huntington.com | !Huntington Ingalls; Huntington Learning; Huntington Beach
US IBM; International Business Machines | Red Hat; SoftLayer; HashiCorp; Apptio; Turbonomic; Instana; Kenexa
US Idexx; IDEXX Laboratories | VetConnect; ezyVet; Vet Med Labor; Greenline; Cornerstone Software
US Illinois Tool Works; ITW | Miller Electric; Hobart; Instron; Rain-X; Permatex; Paslode; Spit | @itw.com
US Ingersoll Rand; Ingersoll-Rand | Gardner Denver; Nash; CompAir; Thomas Pumps; Elmo Rietschle; Robuschi; ILC Dover | @irco.com ingersollrand.com
US Insulet | Omnipod
US Intel | Mobileye; Altera; Habana Labs; Moovit
US Interactive Brokers | IBKR; IB Global | @interactivebrokers.com ibkr.com
US Intercontinental Exchange; ICE | New York Stock Exchange; NYSE; Black Knight; Ellie Mae; Optimal Blue; Simplifile; ICE Mortgage Technology | @ice.com theice.com
US International Flavors & Fragrances; IFF | Frutarom; LMR Naturals; Lucas Meyer Cosmetics; Danisco; Genencor | @iff.com
US Intuit | TurboTax; QuickBooks; Mailchimp; Credit Karma; Mint; ProConnect; The Rocket Science Group
US Intuitive Surgical; Intuitive | da Vinci Surgery | @intuitive.com
US Invesco | PowerShares; OppenheimerFunds; Invesco QQQ; Invesco Distributors
US IQVIA; Quintiles IMS; IMS Health | Cegedim Relationship; OCE CRM; Quintiles; Q2 Solutions; Linguamatics
US Iron Mountain | Recall Holdings; Crozier Fine Arts; XData; EvoSwitch; Wisetek | @ironmountain.com
US J.M. Smucker; Smucker's; The J. M. Smucker Company; Smucker Foods | Jif; Folgers; Uncrustables; Hostess Brands; Milk-Bone; Meow Mix; Café Bustelo | @jmsmucker.com smuckers.com
US Johnson & Johnson; J&J; Johnson and Johnson; 强生; ジョンソン・エンド・ジョンソン; 한국존슨앤드존슨; Джонсон & Джонсон; Johnson & Johnson Medical; Johnson & Johnson Consumer; Johnson & Johnson Innovative Medicine; Johnson & Johnson Services; Johnson & Johnson International; Johnson & Johnson GmbH; Janssen Biotech; Janssen Pharmaceutica; Janssen Global; Janssen Scientific; Johnson & Johnson Surgical Vision | Janssen; Janssen Pharmaceuticals; Janssen-Cilag; DePuy Synthes; DePuy; Ethicon; Biosense Webster; Acclarent; Mentor Worldwide; Abiomed; Acuvue; AMO; Johnson & Johnson Vision Care; Actelion; Shockwave Medical; Cerenovus; Intra-Cellular Therapies; Momenta; Auris Health; Synthes; V-Wave; Ambrx; Proteologix; DePuy International; DePuy Synthes Products; Medical Device Business Services; Animas; LifeScan J&J; Tremfya; Darzalex; Caplyta | @jnj.com | !Johnson & Johnson Roofing; S.C. Johnson; SC Johnson; Kenvue; Johnson & Johnson Law; Johnson & Johnson Insurance; Johnson & Johnson Plumbing; Johnson & Johnson Heating; Johnson & Johnson Preferred; Johnson & Johnson Construction
US Johnson Controls | Tyco; York International; Ruskin; Simplex; SimplexGrinnell; Sensormatic; Silent-Aire | @johnsoncontrols.com jci.com
US JPMorgan Chase; JPMorgan; J.P. Morgan; JP Morgan; JPMorgan Chase Bank | Chase; Chase Bank; Chase Bank USA; Frank; Nutmeg; cxLoyalty; The Infatuation | @jpmorganchase.com jpmorgan.com chase.com | !Chase Plastic; Chase Brexton; Chase Home Improvement
US Kellanova; Kellogg's; Kellogg; Kellogg Company | Pringles; Cheez-It; Pop-Tarts; Eggo; RXBAR; MorningStar Farms; Nutri-Grain | @kellanova.com kelloggs.com | !Kellogg Foundation; Kellogg School; Kellogg Brown
US Kenvue | Neutrogena; Aveeno; Tylenol; Listerine; Johnson's Baby; Band-Aid; Nicorette
US Keurig Dr Pepper; KDP; Keurig; Dr Pepper Snapple; Dr Pepper | Snapple; Green Mountain Coffee; Mott's; Canada Dry; 7UP US; Core Hydration; Bai Brands | @keurigdrpepper.com
US KeyCorp; KeyBank; KeyBank National Association | Laurel Road; Key Bank; KeyBanc Capital Markets | @key.com
US Keysight; Keysight Technologies | Ixia; Spirent; Eggplant; ESI Group; Cliosoft; Scienlab; Synopsys Optical
US Kimberly-Clark; Kimberly Clark | Huggies; Kleenex; Scott Products; Cottonelle; Kotex; U by Kotex; Depend | @kimberly-clark.com
US KLA; KLA-Tencor | Orbotech; SPTS Technologies
US Kohl's | Kohl's Department Stores
US Kraft Heinz; The Kraft Heinz Company; H.J. Heinz; Heinz; Kraft Foods; HJ Heinz | Oscar Mayer; Philadelphia Cream Cheese; Velveeta; Capri Sun US; Maxwell House; Jell-O; Kool-Aid
US Kroger; The Kroger Co | Fred Meyer; Ralphs; Harris Teeter; King Soopers; Smith's Food & Drug; QFC; Fry's Food Stores
US L3Harris; L3Harris Technologies; L-3 Communications; Harris Corporation | Aerojet Rocketdyne; Wescam; ForceX
US Labcorp; Laboratory Corporation of America; Laboratory Corporation of America Holdings | Covance; Labcorp Drug Development; Invitae; Ovia Health; Sequenom; PAML; Labcorp OnDemand
US Las Vegas Sands; Sands | The Venetian Macao; Marina Bay Sands; Sands China; The Parisian Macao; Londoner Macao; Venetian Macau
`;
