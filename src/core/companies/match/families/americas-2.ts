/** Families of companies (`parseFamilies`). */
export const familiesAmericas2 = `
US Lennar | Lennar Homes; Lennar Mortgage; WCI Communities; CalAtlantic; Rausch Coleman; Millrose; Lennar Title
US Lennox; Lennox International; Lennox Industries | Ducane; Heatcraft; Armstrong Air; Allied Air; AirEase | !Lennox Lewis; Lennox Hill
US Levi Strauss; Levi's; Levi Strauss & Co | Beyond Yoga; Denizen; Levi Strauss Germany; Signature by Levi Strauss; Paris O.L.S.; Levi Strauss Nederland | @levi.com levistrauss.com
US Eli Lilly; Lilly; Lilly USA; Eli Lilly and Company | Loxo Oncology; Zepbound; Mounjaro; LillyDirect; ImClone; Avid Radiopharmaceuticals; Morphic | @lilly.com | !Lilly Pulitzer; Lilly Endowment; Lillybee
IE Linde; Linde Gas; Praxair | BOC; BOC Gases; AGA Gas; Lincare; Linde Engineering; White Martins; Linde Homecare | @linde.com | !Linde Material Handling; Linde Werdelin; Van der Linde
US Live Nation; Live Nation Entertainment | Ticketmaster; House of Blues; Ticketweb; Front Gate Tickets; OCESA; Universe; TicketsNow
US Lockheed Martin | Sikorsky; Sikorsky Aircraft; PZL Mielec; Lockheed; Skunk Works; Polskie Zakłady Lotnicze | @lockheedmartin.com | !Lockheed Federal Credit Union
US Lowe's; Lowe's Home Centers; Lowe's Companies; LF, LLC | Lowe's Home Improvement; Orchard Supply; Kobalt; Allen + Roth; Artisan Design Group; Foundation Building Materials; Central Wholesalers | @lowes.com | !Lowes Foods; Lowe's Market; Lowe Lintas
CA Lululemon; lululemon athletica | MIRROR; lululemon Studio; Curiouser Products
US Macy's; Macy's Retail Holdings; Macys.com | Bloomingdale's; Bluemercury; Macy's Systems and Technology; Federated Department Stores; Bloomingdales.com; West 49th Street | @macys.com macysinc.com
US Marathon Petroleum; Marathon | ARCO; MPLX; Andeavor | @marathonpetroleum.com
US Marriott; Marriott International; Marriott Hotels; Marriott Bonvoy; Global Hospitality Licensing | Sheraton; Westin; The Ritz-Carlton; Ritz-Carlton Hotel Company; W Hotels; St. Regis; Courtyard by Marriott; Fairfield Inn; Residence Inn; Moxy Hotels; AC Hotels; Aloft; Delta Hotels; Le Méridien; SpringHill Suites; TownePlace Suites; Autograph Collection; Starwood; Design Hotels; Gaylord Hotels; citizenM; Protea Hotels | !Marriott Vacations; Marriott Vacation Club; Marriott Tadler; Marriott Harrison
US Marsh McLennan; Marsh; Marsh & McLennan; Marsh & McLennan Companies | Mercer; Guy Carpenter; Oliver Wyman; Jardine Lloyd Thompson; Lippincott; NERA Economic Consulting; McGriff | @marshmclennan.com mmc.com marsh.com | !Marsh Supermarkets; Marsh Funeral; Marsh Harbour
US Masco | Delta Faucet; Behr; Hansgrohe; Brizo; Liberty Hardware; Newport Brass; Hot Spring
US Mastercard; MasterCard International; Mastercard Europe | Vocalink; Finicity; Ekata; Nets Account; Dynamic Yield; NuData; Brighterion | !Mastercard Foundation
US Mattel | Barbie; Hot Wheels; Fisher-Price; American Girl; MEGA Brands; Thomas & Friends; Matchbox
US McCormick; McCormick & Company; McCormick Foods | French's; Frank's RedHot; Old Bay; Lawry's; Zatarain's; Cholula; Schwartz | @mccormickcorporation.com mccormick.com | !McCormick Place; McCormick & Schmick; Cormick
US McDonald's; McDonald's Corporation; McDonald's Restaurants; McDonald's Deutschland | McCafé; McDelivery; McDonald's USA; CosMc's; McD APMEA | @mcdonalds.com | !McDonald Jones; McDonald Hopkins; Ronald McDonald
US McKesson | CoverMyMeds; Biologics by McKesson; Health Mart; RelayHealth; US Oncology; McKesson Medical-Surgical; RxCrossroads
IE Medtronic; Covidien | MiniMed; Medtronic MiniMed; Mazor Robotics; Medtronic Vascular; Medtronic Sofamor Danek; Invatec; Intersect ENT
US Merck & Co; Merck Sharp & Dohme; MSD; MSD Sharp & Dohme; Merck Sharp and Dohme; Merck Sharp & Dohme LLC | Keytruda; Gardasil; Merck Animal Health; MSD Animal Health; Intervet; Schering-Plough; Antelliq | @merck.com msd.com | !Merck KGaA; Merck Life Science; Merck Serono; Merck Healthcare; Merck Electronics; Merck Group; Merck Performance; Merck Santé
US Meta; Meta Platforms; Meta Platforms Ireland; Facebook; Facebook Ireland; Facebook Inc | Instagram; WhatsApp; Oculus; Oculus VR; Messenger; Threads; Novi Financial; Beat Games; Workplace from Meta; Manus; WhatsApp Ireland; Ray-Ban Meta; Within Unlimited; Onavo | @meta.com facebook.com | !Meta Financial; MetaBank; Meta PCs; Metabo; Meta House; Meta Analytics; Meta Materials; Meta Productions
US MetLife; Metropolitan Life; Metropolitan Life Insurance Company; MetLife Europe | PetFirst; Versant Health; American Life Insurance Company; ALICO; MetLife Pet Insurance; Davis Vision; Superior Vision | !MetLife Stadium
CH Mettler Toledo; Mettler-Toledo | Rainin; Ohaus; Pivotone; PendoTECH; Mettler-Toledo Garvens; Mettler-Toledo Safeline; Hi-Speed Checkweigher | @mt.com
US MGM Resorts; MGM Resorts International | Bellagio; Aria Resort; Mandalay Bay; MGM Grand; LeoVegas; Borgata; Luxor Hotel | @mgmresorts.com
US Microchip; Microchip Technology | Atmel; Microsemi; SMSC; Micrel; Neuronix AI
US Micron; Micron Technology | Crucial; Ballistix; Elpida; Micron Consumer Products; Micron Semiconductor Products | !Micron Solutions; Micron Biomedical; Micron Waste
US Microsoft; Microsoft Corporation; Microsoft Ireland Operations; Microsoft Online; Microsoft Deutschland | LinkedIn; GitHub; Xbox; Activision; Activision Blizzard; Blizzard Entertainment; Mojang; Mojang Studios; ZeniMax; ZeniMax Media; Bethesda; Bethesda Softworks; Nuance Communications; Skype; Skype Communications; Bing; Microsoft Azure; Lynda.com; Xandr; Clipchamp; King.com; King Digital
US Moderna; ModernaTX; Moderna Biotech | Spikevax | !Moderna Peluquería; Moderna Museet; Casa Moderna
US Molson Coors; Molson Coors Beverage; Molson Coors Brewing; Molson; Coors; Miller Coors | Miller Lite; Coors Light; Blue Moon Brewing; Carling; Staropramen; Pivovary Staropramen; ZOA Energy | !Coors Credit Union; Coorstek
US Mondelez; Mondelēz; Mondelez International; Kraft Foods Europe; Kraft Foods Deutschland | Oreo; Cadbury; Milka; Toblerone; Ritz; belVita; Chips Ahoy; Côte d'Or; LU Biscuits; Tate's Bake Shop; Halls; Sour Patch Kids; Trident; Clif Bar; 7Days; Chipita; Prince; TUC; Philadelphia; Dentyne; Triscuit; Perfect Snacks | @mondelezinternational.com
US Monster Beverage; Monster Energy; Monster Energy Company; Monster; Monster Energy Europe | Reign; Bang Energy; NOS Energy; Burn Energy; Full Throttle; CANarchy; Relentless Energy | @monsterenergy.com monsterbevcorp.com | !Monster Worldwide; Monster Cable; Monster Tool
US Moody's; Moody's Corporation; Moody's Investors Service; Moody's Analytics | Bureau van Dijk; RMS; RDC; Kompany; ICRA; Cape Analytics; RealXData | !Moody Bible; Moody Gardens; Moody National Bank
US Morgan Stanley; Morgan Stanley Smith Barney; Morgan Stanley Europe | E*TRADE; Eaton Vance; Calvert Research; Parametric; Solium; Shareworks; EquityZen
US Mosaic; The Mosaic Company | Mosaic Fertilizantes | @mosaicco.com
US Motorola Solutions | Avigilon; Pelco; WatchGuard Video; Vigilant Solutions; Silvus; Spillman; Openpath | @motorolasolutions.com
US MSCI | Barra; Burgiss; RiskMetrics; Real Capital Analytics; Carbon Delta; Fabric RQ; Trove
US Nasdaq; Nasdaq OMX | Verafin; Adenza; eVestment; Calypso Technology; AxiomSL; Solovis; Nasdaq Stockholm
US Netflix; Netflix International; Netflix Services; Netflix Entretenimento | Millarworld; Night School Studio; Next Games; Boss Fight Entertainment; Animal Logic; Scanline VFX; Netflix Animation
US News Corp; News Corporation; News International; News UK; News Australia; Nationwide News | Dow Jones; The Wall Street Journal; HarperCollins; New York Post; NYP Holdings; Barron's; MarketWatch | @newscorp.com
US NextEra Energy; NextEra | Florida Power & Light; FPL; Gulf Power; FPL Energy Services; Gexa Energy; NextEra Energy Resources; NextEra Energy Services | @nexteraenergy.com
US Nielsen; The Nielsen Company | Gracenote; Nielsen Audio; Arbitron; AC Nielsen; ACNielsen; Nielsen Media Research | @nielsen.com
US Nike; Nike Retail; NIKE European Operations; Nike European Operations Netherlands; Nike USA; NIKE 360 Holding | Converse; Jordan Brand; RTFKT; All Star; Air Jordan; Nike Vertriebs; All Star C.V. | !Nike Capital; Nike Hydraulics; Nike Missile
US Nordstrom | Nordstrom Rack; HauteLook; Trunk Club; Nordstrom Card Services; NordstromRack.com
US Norfolk Southern; Norfolk Southern Railway | Thoroughbred Direct; Triple Crown Services | @norfolksouthern.com nscorp.com
US Northrop Grumman; Northrop Grumman Systems; Northrop | Orbital ATK; Scaled Composites; Park Air Systems; Solystic; Sperry Marine; LITEF
US Norwegian Cruise Line; Norwegian Cruise Line Holdings; NCL Corporation; NCL (Bahamas) | Oceania Cruises; Regent Seven Seas Cruises; Seven Seas Cruises; Oceania Cruises S. de R.L.; NCL America | @ncl.com nclhltd.com
US NRG Energy; NRG | Reliant Energy; Reliant Energy Retail Services; Direct Energy; Green Mountain Energy; Vivint; Vivint Smart Home; Stream Energy
US Nvidia; NVIDIA; Nvidia Singapore Development | Mellanox; Cumulus Networks; GeForce NOW; DeepMap; Run:ai; ICON GeForce; OmniML
US O'Reilly Automotive; O'Reilly Auto Parts; O'Reilly Auto Enterprises; Ozark Automotive | CSK Auto; Orma ORMA; Vast-Auto; Checker Auto Parts; Kragen | @oreillyauto.com | !O'Reilly Media; Bill O'Reilly; O'Reilly Hospitality
US Omnicom; Omnicom Group; Omnicom Media Group; OMG | BBDO; DDB; TBWA; OMD; PHD Media; Hearts & Science; FleishmanHillard
US Oracle; Oracle America; Oracle Deutschland; Oracle Corporation | NetSuite; Cerner; Micros Systems; PeopleSoft; Sun Microsystems; Siebel Systems; Eloqua | !Oracle Red Bull; Oracle Lighting; Oracle Arena
US Otis; Otis Elevator; Otis Worldwide; Otis Elevator Company | Zardoya Otis; Sigma Elevator; Gen2; Otis GmbH; Otis Gesellschaft | !Otis Spunkmeyer; Otis College; Otis Redding
US Paccar; PACCAR Financial | Kenworth; Peterbilt; DAF Trucks; DAF; Dynacraft; Leyland Trucks; PacLease
US Palo Alto Networks | Demisto; Prisma Cloud; Twistlock; Expanse; Talon; CyberArk; Bridgecrew | @paloaltonetworks.com | !Palo Alto Medical; Palo Alto University; City of Palo Alto
US Paramount; Paramount Skydance; Paramount Global; ViacomCBS; Viacom; Skydance | CBS; CBS Interactive; CBS Broadcasting; Showtime; Showtime Networks; MTV; Nickelodeon | @paramount.com | !Paramount Residential Mortgage; Paramount Hotels; Paramount Care
US Parker Hannifin; Parker-Hannifin; Parker; Parker Hannifin Corporation | Meggitt; LORD Corporation; Clarcor; Exotic Metals; Hiross; Parker Hannifin Manufacturing; Curtis Instruments | @parker.com | !Parker Pen; Parker University; Ray Parker
US Paychex | Paycor; Oasis Outsourcing; SurePayroll; Lessor; HROutsourcing; Paychex Insurance Agency; Paycor HCM
US PayPal; PayPal (Europe); PayPal Holdings; PayPal Payments | Venmo; Braintree; Xoom; Honey Science; Honey; Zettle; iZettle
US Peloton; Peloton Interactive | Precor; Bike+; Otari; Tonic Fitness | @onepeloton.com | !Peloton Therapeutics; Peloton Group; Peloton Land
US PepsiCo; Pepsi; Pepsi-Cola; Pepsico Deutschland; PepsiCo International | Frito-Lay; Gatorade; Quaker Oats; Lay's; Doritos; Cheetos; Mountain Dew; SodaStream; Walkers Snacks; Walkers Crisps; bubly; Stacy's; Siete Foods; poppi; Rockstar Energy; Sabritas; Gamesa; Smith's Snackfood; 7UP International; Wimm-Bill-Dann; Pioneer Foods; Starry | !Pepsi Bottling Ventures; Pepsi Center; Pepsi Cola Puerto Rico
US Pfizer; Pfizer Pharma; Pfizer Consumer | Wyeth; Seagen; Hospira; Array BioPharma; Biohaven; Medivation; Arena Pharmaceuticals
US PG&E; Pacific Gas and Electric; Pacific Gas & Electric Company | Pacific Gas | @pge.com pgecorp.com | !Polska Grupa Energetyczna; PGE Polska; Portland General
US Philip Morris; Philip Morris International; Philip Morris Products; Philip Morris GmbH; PMI | IQOS; Swedish Match; ZYN; Marlboro; VEEV; f6 Cigarettenfabrik; Papastratos | @pmi.com iqos.com
US Phillips 66 | JET Tankstellen; 76 Gas; JET; Kendall Motor Oil; Conoco Fuel; JET Energy; DCP Midstream | @phillips66.com
US PNC; PNC Bank; PNC Financial Services; The PNC Financial Services Group | BBVA USA; BBVA Compass; National City Bank; FirstBank; Harris Williams; Solebury; BBVA Transfer | !PNC Park; PNC Arena; PNC Menon
US PPG; PPG Industries; PPG Architectural | Sigma Coatings; Tikkurila; Comex; Olympic Stains; Dulux Canada; Histor; Johnstone's | !PPG Paints Arena
US Procter & Gamble; Procter and Gamble; P&G; P & G; Procter & Gamble Service; Procter & Gamble Manufacturing | Gillette; Pampers; Tide; Always; Oral-B; Head & Shoulders; Pantene; Olay; SK-II; Ariel; Braun; Fairy; Febreze; Old Spice; Crest; Bounty; Charmin; Dawn; Swiffer; Lenor; Downy; Gain | @pg.com | !Braun Melsungen; B. Braun; Braun Büffel; Proctor; Gamble
US Progressive; Progressive Casualty Insurance Company; Progressive Corporation; The Progressive Corporation | Progressive Direct Insurance; ASI Insurance; American Strategic Insurance; Progressive Specialty; Drive Insurance; Protective Insurance; ARX Holding | !Progressive Leasing; Progressive Dental; Progressive Foam
US Prologis | Duke Realty; Liberty Property Trust; Prologis Management; Prologis Essentials; DCT Industrial; Prologis Germany Management
US Prudential Financial; Prudential; The Prudential Insurance Company of America; Prudential Insurance Company of America | PGIM; Assurance IQ; Jennison Associates; Prudential Annuities; Gibraltar Life; Pruco Life; Prudential Holdings of Japan | @prudential.com | !Prudential plc; Prudential Overall Supply; Prudential Assurance
US Public Storage | Shurgard US; Simply Self Storage; PS Orangeco; ezStorage | @publicstorage.com
US PulteGroup; Pulte; Pulte Homes; Pulte Home | Del Webb; Centex; DiVosta; John Wieland Homes; American West Homes; Pulte Mortgage; Innovative Construction Group | @pultegroup.com
US PVH; Phillips-Van Heusen; PVH Europe | Calvin Klein; Tommy Hilfiger; Hilfiger Stores; Van Heusen; Warner's; Olga; True & Co | @pvh.com
US Qualcomm; Qualcomm Technologies; Qualcomm Incorporated | Snapdragon; Arduino; Nuvia; Alphawave; CSR; Atheros; Edge Impulse
US Quest Diagnostics; Quest | Blueprint Genetics; LifeLabs; ExamOne; AmeriPath; Athena Diagnostics; Dermpath Diagnostics; Haystack Oncology | @questdiagnostics.com | !Quest Software; Quest Nutrition; Quest Resource
US Ralph Lauren; Polo Ralph Lauren; Ralph Lauren Europe; PRL | Lauren Ralph Lauren; Polo; RRL; Double RL; Acqui Polo; Poloco; PRL International
US Raymond James; Raymond James Financial | Raymond James & Associates; TriState Capital; Carillon Tower Advisers; Eagle Asset Management; Charles Stanley; Cougar Global; RJ Bank | @raymondjames.com | !Raymond James Stadium
US RTX; RTX Corporation; Raytheon; Raytheon Technologies; United Technologies | Pratt & Whitney; Collins Aerospace; Rockwell Collins; UTC Aerospace; Goodrich Corporation; B/E Aerospace; Pratt and Whitney | @rtx.com
US Regions; Regions Bank; Regions Financial | EnerBank USA; AmSouth; Regions Mortgage; Sabal Capital; Ascentium Capital; Clearsight Advisors; BlackArch Partners | @regions.com | !Regions Hospital; Council of European Municipalities and Regions; Committee of the Regions
US Republic Services; Republic | Allied Waste; US Ecology; BFI Waste; Browning-Ferris; Santek; ReCommunity; Shamrock Environmental | @republicservices.com | !Republic Airways; Republic Bank; Republic Records
US ResMed; Resmed | Brightree; MatrixCare; Medifox Dan; Somnoware; Propeller Health; Snap Diagnostics; MEDIFOX
US Restaurant Brands International; RBI; Restaurant Brands | Burger King; Tim Hortons; Popeyes; Firehouse Subs; Carrols; TDL Group; Burger King Corporation | @rbi.com
US Robinhood; Robinhood Markets; Robinhood Financial; Robinhood Crypto | Bitstamp; X1; Sherwood Media; Robinhood Gold; Pluto Capital; TradePMR; Say Technologies | @robinhood.com | !Robin Hood Foundation; Robinhood Energy; Robin Hood Doncaster
US Rockwell Automation; Allen-Bradley | Plex Systems; Clearpath Robotics; OTTO Motors; Fiix; Cubic; Sensia; Kalypso | @rockwellautomation.com | !Rockwell Collins; Rockwell Tools; Rockwell Medical
US Roper; Roper Technologies | Vertafore; Deltek; Aderant; Strata Decision; Frontline Education; DAT Freight; iPipeline | @ropertech.com | !Roper Pump; Roper Hospital; Roper Whitney
US Ross; Ross Stores; Ross Dress for Less | dd's Discounts | @rossstores.com | !Ross Video; Ross Medical; Bob Ross
US Royal Caribbean; Royal Caribbean Group; Royal Caribbean Cruises; RCL Cruises; Royal Caribbean International | Celebrity Cruises; Silversea; Pullmantur; Celebrity River; Silversea Cruises; Perfect Day; RCL Cruises Limited | @royalcaribbean.com royalcaribbeangroup.com rclinvestor.com
US S&P Global; Standard & Poor's; S&P; McGraw Hill Financial | IHS Markit; IHS Global; Platts; Capital IQ; CARFAX; Crisil; S&P Dow Jones Indices | @spglobal.com
US Salesforce; salesforce.com; SFDC; SFDC Ireland; salesforce.com Germany; salesforce.com EMEA | Slack; Slack Technologies; Tableau; MuleSoft; Heroku; ExactTarget; Pardot
US Sandisk; SanDisk; SanDisk Technologies; Western Digital SanDisk | @sandisk.com
US SLB; Schlumberger | Cameron International; ChampionX; M-I SWACO; Smith International; OneSubsea; WesternGeco; Geoservices | @slb.com
US Seagate; Seagate Technology | LaCie; Xyratex; Lyve; Maxtor; Intevac; Dot Hill; Samsung HDD
US Sempra | San Diego Gas & Electric; SDG&E; SoCalGas; Southern California Gas; Oncor; IEnova; Ecogas
US ServiceNow | Armis; Moveworks; Element AI; Lightstep; Veza; Raytion; Attivio
US Sherwin-Williams; Sherwin Williams; The Sherwin-Williams Company | Valspar; Minwax; Dutch Boy; Krylon; Cabot Stains; Thompson's WaterSeal; HGTV Home by Sherwin-Williams
US Simon; Simon Property Group; Simon Property | Premium Outlets; The Mills; ShopSimon; Taubman; Simon Malls; Chelsea Property; Taubman Centers | @simon.com | !Simon & Schuster; Simon Kucher; Paul Simon
US Snap-on; Snap On; Snap-on Tools; Snap-on Incorporated | Bahco; Blue-Point; Mitchell 1; John Bean; Hofmann Werkstatt-Technik; CARTEC; Car-O-Liner
US Snap; Snap Inc; Snap Group; Snapchat; Camelot UK | Bitmoji; Spectacles; Zenly; Saturn; WaveOptics; Bitstrips; Snap Group Limited | @snap.com snapchat.com | !Snap Fitness; Snap-on; Snap One
US Southern Company; The Southern Company; Southern | Georgia Power; Alabama Power; Mississippi Power; Southern Company Gas; Nicor Gas; Atlanta Gas Light; PowerSecure | @southerncompany.com
US Southwest Airlines; Southwest; Southwest Airlines Co | AirTran; Getaways by Southwest; Southwest Vacations | @southwest.com | !Southwest Gas; Southwest Research; Southwest General
US Stanley Black & Decker; Black & Decker; Stanley Tools; Stanley Works; Black and Decker; Stanley Black and Decker | DeWalt; Craftsman; Irwin Tools; Porter-Cable; Bostitch; Lenox; MTD Products | @stanleyblackanddecker.com | !Stanley 1913; Stanley Steemer; PMI Worldwide
US Starbucks; Starbucks Coffee; Starbucks EMEA; Starbucks Coffee Company | Teavana; Princi; Starbucks Reserve; Ethos Water; La Boulange; Starbucks Coffee Japan; Starbucks Manufacturing
US State Street; State Street Corporation; State Street Bank and Trust Company; State Street Global Advisors | SPDR; SSGA; Charles River Development; Charles River Systems; Mercatus; CRD; Currenex | @statestreet.com ssga.com | !State Street Theater; State Street Pizza; State Street Financial
IE STERIS; Steris | Cantel Medical; Synergy Health; Crosstex; Key Surgical; Medivators; Steris Instrument; Synergy Health Ireland
US Stryker; Stryker Corporation; Howmedica; Howmedica Osteonics; Stryker Leibinger | Wright Medical; Mako Surgical; Vocera; Sage Products; Physio-Control; K2M; Inari Medical | !Stryker Construction; Stryker Law; Jeff Stryker
US Supermicro; Super Micro Computer | @supermicro.com
US Synchrony; Synchrony Financial; Synchrony Bank | CareCredit; Loop Commerce; Pets Best; GPShopper; GE Capital Retail Bank; Allegro Credit; PayTomorrow | @synchrony.com synchronybank.com | !Synchrony Group; Synchrony Healthcare Communications
US Synopsys | Ansys; Coverity; Cigital; WhiteHat Security; Magma Design; Intrinsic ID; Ansys Germany
US Sysco; Sysco Corporation | Brakes; Brake Bros; FreshPoint; SYGMA Network; Guest Worldwide; Davigel; Sysco France
US T-Mobile; T-Mobile US; T-Mobile USA | Metro by T-Mobile; MetroPCS; Sprint; Mint Mobile; Ultra Mobile; Sprint Solutions; Sprint Spectrum | @t-mobile.com | !T-Mobile Arena; T-Mobile Park; T-Mobile Polska
US T. Rowe Price; T Rowe Price; T. Rowe Price Associates; T. Rowe Price Investment Services | Oak Hill Advisors; OHA; Retiree Inc | @troweprice.com
US Take-Two; Take-Two Interactive; Take Two; Take-Two Interactive Software | Rockstar Games; 2K Games; 2K Sports; Zynga; Private Division; Ghost Story Games; Social Point | @take2games.com
US Tapestry; Coach; Tapestry Inc | Kate Spade; Kate Spade New York; Coach Stores; Coach Japan; Coach Outlet; Coach IP Holdings; Coach Services | @tapestry.com coach.com | !Bayeux Tapestry; Tapestry Church; Tapestry 360
US Target; Target Corporation; Target Brands; Target Enterprise; Target General Merchandise | Shipt; Roundel; Target Circle; Target Stores; Cat & Jack; DermStore; Good & Gather | @target.com | !Target Australia; Target Hospitality; Target Fluid; Target Components; Target Darts; Target Recruitment; Target Group Limited; Target Healthcare
CH TE Connectivity; Tyco Electronics; TE Connectivity Solutions | Measurement Specialties; Raychem; First Sensor; Richards Manufacturing; ERNI Electronics; Linx Technologies; Intercontec | @te.com
US Teledyne; Teledyne Technologies | FLIR Systems; FLIR; Teledyne FLIR; e2v; Raymarine; DALSA; Lumenera
US Tesla; Tesla Motors; Tesla Germany; Tesla International; Tesla Manufacturing Brandenburg | SolarCity; Maxwell Technologies; Powerwall; Grohmann; Tesla Grohmann; Tesla Energy; Tesla Insurance | !Tesla Exploration; Nikola Tesla; Tesla Blatná; Tesla Jihlava; Tesla Electric Ltd; Tesla Jadrová; Tesla Lighting; Tesla Medical
US Texas Instruments; TI; Texas Instruments Incorporated | National Semiconductor; Burr-Brown; Texas Instruments Deutschland; Texas Instruments Education; Luminary Micro; Unitrode; Chipcon | @ti.com
US Textron | Cessna; Bell Textron; Bell Helicopter; Beechcraft; Arctic Cat; E-Z-GO; Textron Aviation
US Thermo Fisher; Thermo Fisher Scientific; Thermo Fisher Diagnostics; Fisher Scientific | Life Technologies; Invitrogen; Applied Biosystems; Patheon; PPD; Phadia; Gibco
US TJX; The TJX Companies; TJX Europe; TJX Deutschland; NBC Attire; TJX UK | T.J. Maxx; TJ Maxx; T.K. Maxx; TK Maxx; Marshalls; HomeGoods; HomeSense | @tjx.com
US TKO; TKO Group; Endeavor; WME | UFC; WWE; World Wrestling Entertainment; Zuffa; Professional Bull Riders; IMG; On Location | @tkogrp.com
US Tractor Supply; Tractor Supply Company | Petsense; Orscheln Farm; Allivet; Del's Feed; Quality Stores; TSC Tractor; Tractor Supply Texas
IE Trane; Trane Technologies; Trane U.S. | Thermo King; American Standard Heating; RunTru; Mitsubishi Electric Trane; FrostCo; Farrar Scientific; MTA SpA | @trane.com tranetechnologies.com
US Travelers; The Travelers Companies; The Travelers Indemnity Company; Travelers Property Casualty; St. Paul Travelers; Travelers Casualty | Simply Business; Dominion of Canada; Corvus Insurance; Northland Insurance; Constitution State; InsuraMatch; Automobile Insurance Company of Hartford | @travelers.com | !Travelers Rest; Travelers Aid; World Travelers
US Trimble; Trimble Navigation; Trimble Europe; Trimble Solutions | SketchUp; Tekla; Transporeon; Viewpoint; e-Builder; PeopleNet; Spectra Precision | @trimble.com | !Trimble Funeral; Trimble Tech; Trimble County
US Truist; Truist Bank; Truist Financial; BB&T; SunTrust; SunTrust Banks | LightStream; Sheffield Financial; Service Finance; Long Game; Regional Acceptance; Truist Securities; Grandbridge | !Truist Park; Truist Field; Trust Bank
US Tyson; Tyson Foods | Jimmy Dean; Hillshire Farm; Ball Park Franks; State Fair; Hillshire Brands; Aidells; IBP | @tyson.com tysonfoods.com | !Mike Tyson; Cicely Tyson; Tysons
US U.S. Bancorp; US Bank; U.S. Bank; U.S. Bank National Association; USBank; US Bancorp | Elan Financial; MUFG Union Bank; talech; Bento; PFM Asset; Nova Information; Elavon Financial Services | @usbank.com | !US Bank Stadium; Union Bank of India; UBS
US Uber; Uber Technologies; Uber B.V.; Uber Portier; Rasier | Uber Eats; Postmates; Careem; Drizly; Cornershop; Uber Freight; Transplace | !Uberall; Uber Geek; Uber Sexy
US Ulta; Ulta Beauty; Ulta Salon | Space NK; UB Media; Ulta Beauty Cosmetics; Ulta Salon Cosmetics & Fragrance; GlamST; QM Scientific; Space.NK
US Under Armour; Under Armour Europe; Under Armour Retail | UA; Curry Brand; UNLESS Collective; Endomondo; Gemvara; UA Sportswear | @underarmour.com ua.com
US Union Pacific; Union Pacific Railroad; UPRR; Union Pacific Railroad Company | Loup Logistics; Streamline; Southern Pacific; PS Technology; Insight Network; Union Pacific Distribution Services; CADO | @up.com | !Union Pacific Center for Health
US United Airlines; United; United Airlines Holdings; United Continental; Continental Airlines; Continental Micronesia | MileagePlus; United Vacations; United Express; Kinective Media; United Aviate; Mileage Plus Holdings; UAL Corporation | @united.com | !United Way; United Healthcare; United Rentals
US UPS; United Parcel Service; United Parcel Service of America; UPS Supply Chain Solutions; United Parcel Service General Services; United Parcel Service Deutschland | The UPS Store; Roadie; Ware2Go; i-Parcel; Kiala; Marken; Bomi Group | @ups.com | !UPS Power; Uninterruptible; UPS Batteries
US United Rentals; United Rentals (North America) | BakerCorp; RSC Equipment; General Finance; Pac-Van; Ahern Rentals; Yak Access; NES Rentals | @unitedrentals.com
US UnitedHealth; UnitedHealth Group; UnitedHealthcare; United HealthCare; UHC; United Healthcare Services | Optum; Change Healthcare; OptumRx; Rally Health; Golden Rule Insurance; AARP Medicare UHC; Surest | @unitedhealthgroup.com uhc.com
US Universal Health Services; UHS; UHS of Delaware | Behavioral Health UHS; Cygnet Health; Foundations Recovery; Prominence Health; Independence Physician; Cygnet Health Care; Thousand Branches | @uhs.com
US Valero; Valero Energy; Valero Marketing and Supply | Diamond Shamrock; Ultramar; Diamond Green Diesel; Valero Renewable; Shamrock; Texaco UK; Beacon Gas | !Valero Natural Bridge; Valero Alamo Bowl
US Veeva; Veeva Systems | Crossix; Physicians World; Zinc Ahead; OpenData; Ostro; Selectica; AdvantageMS
US Veralto | Hach; Trojan Technologies; Videojet; Esko; X-Rite; Pantone; ChemTreat
US Verizon; Verizon Communications; Cellco Partnership; Verizon Wireless; Verizon Sourcing; Bell Atlantic | TracFone; Visible; Straight Talk; Total by Verizon; Total Wireless; Fios; BlueJeans | !Verizon Center; Victra; Verizon Authorized
US Vertex; Vertex Pharmaceuticals | Alpine Immune; ViaCyte; Semma; Trikafta; Exonics | @vrtx.com | !Vertex Inc; Vertex Energy; Vertex Resource
US VF; VF Corporation; VF International; VF Outdoor; VF Europe | Vans; The North Face; Timberland; Smartwool; Altra; JanSport; Napapijri | @vfc.com | !VF Properties; VF Mall
US Viatris; Mylan; Upjohn; Meda | Viagra; EpiPen; Lipitor; Lyrica; Celebrex; Norvasc; Dermatop
US Visa; Visa International; Visa U.S.A.; Visa Europe; Visa International Service Association; Visa Inc | CyberSource; Currencycloud; Tink; Authorize.Net; Pismo; Verifi; Earthport | @visa.com visa.co.uk visaeurope.com | !Visa Steel; VisaHQ; Visa First; Visa Services International; Visa Consultants; Visa Direct Immigration; VisaPlace; Visa Express
US Vistra; Vistra Corp; Vistra Energy | TXU Energy; Ambit Energy; Luminant; Dynegy; Energy Harbor; Homefield Energy; TriEagle Energy | @vistracorp.com | !Vistra (UK); Vistra Group; Vistra Corporate
US Walgreens; Walgreens Boots Alliance; Walgreen Co; Walgreen | Duane Reade; VillageMD; Shields Health; CareCentrix; Summit Health; CityMD; Walgreens Advertising | @walgreens.com walgreensbootsalliance.com
US Walmart; Wal-Mart; Walmart Stores; Wal-Mart Stores; Walmart Inc; Wal-Mart.com | Sam's Club; Flipkart; Walmart de México; VIZIO; Massmart; Walmart Connect; PhonePe
US Warner Bros. Discovery; Warner Bros; Warner Bros. Entertainment; WarnerMedia; Time Warner; Discovery | HBO; HBO Max; Max; CNN; TNT; TBS; Cartoon Network | @wbd.com warnerbros.com hbomax.com | !Warner Music; Warner Robins; Warner University
US WM; Waste Management; Waste Management Inc | Stericycle; Shred-it; Advanced Disposal; Bagster; WM Healthcare Solutions; WM Intellectual Property; Stericycle Inc | @wm.com | !WM Morrison; Wm Wrigley; Wm Technology
US Wells Fargo; Wells Fargo Bank; Wells Fargo & Company; Wells Fargo Advisors; Wells Fargo Clearing Services | Wachovia; Wells Fargo Home Mortgage; Wells Fargo Securities; Norwest; Wells Fargo Dealer Services; Wells Fargo Auto; Wells Fargo Dealer | @wellsfargo.com | !Wells Fargo Center; Wells Fargo Alarm; Wells Enterprises
US Western Digital; WD; Western Digital Technologies; Western Digital Ireland | HGST; G-Technology; WD Black; Upthere; Tegile; Kazan Networks; My Passport | @westerndigital.com wd.com | !WD-40; WD Bearings; WD Lab Grown
US Whirlpool; Whirlpool Corporation | KitchenAid; Maytag; JennAir; Amana; InSinkErator; Brastemp; Consul | !Whirlpool Hot Tubs; Whirlpool Center; Whirlpool Discount
US Williams-Sonoma; Williams Sonoma; Williams-Sonoma DTC; Williams-Sonoma Stores | Pottery Barn; West Elm; Pottery Barn Kids; Pottery Barn Teen; Rejuvenation; Mark and Graham; GreenRow | @williams-sonomainc.com
US Willis Towers Watson; WTW; Willis; Towers Watson; Willis Group | Gras Savoye; TRANZACT; Extend Health; Liazon; Via Benefits; Innovisk Capital; Willis Limited | @wtwco.com | !Willis Tower; Willis Lease; Bruce Willis
US Workday; Workday Limited | Adaptive Insights; Peakon; Scout RFP; Zimit; VNDLY; HiredScore; Evisort | !Workday Painting; Workday Shoes; Workday Wear
US Wynn; Wynn Resorts; Wynn Las Vegas | Encore Boston Harbor; Wynn Macau; WynnBET; Encore; Wynn Palace; Wynn MA; Wynn Interactive | @wynnresorts.com wynnlasvegas.com | !Wynn's; Wynn Business; Wynn Automotive
US Xcel Energy; Xcel | Northern States Power; Public Service Company of Colorado; Southwestern Public Service; NSP; HomeSmart; PSCo | @xcelenergy.com | !Xcel Brands; XCEL Fitness; Xcel Mechanical
US Xylem; Xylem Water Solutions; Xylem Inc | Evoqua; Sensus; Flygt; Lowara; Bell & Gossett; Goulds Water Technology; Wedeco
US Yum; Yum! Brands; Yum Brands; Yum! Restaurants International; Yum Restaurants | KFC; Pizza Hut; Taco Bell; Habit Burger; The Habit Burger Grill; Kentucky Fried Chicken; Kentucky Fried Chicken (Great Britain) | !Yum China; Yum-Yum; Yum Yum
US Zebra; Zebra Technologies; Zebra Technologies Europe; ZIH Corp | Symbol Technologies; Reflexis; Matrox Imaging; Fetch Robotics; Photoneo; Elo Touch; Antuit.ai | @zebra.com | !Zebra Pen; Zebra Imports; Zebra BI
US Zimmer Biomet; Zimmer; Biomet; Zimmer Holdings | LDR; Paragon 28; OrthoGrid; OSSIS; Embody; Cayenne Medical; Medtech | @zimmerbiomet.com zimmer.com | !Zimmer MedizinSysteme; Hans Zimmer; Zimmer Aktiengesellschaft
US Zoetis; Zoetis Services; Zoetis Deutschland; Pfizer Animal Health | Abaxis; Apoquel; Simparica; Fish Vet Group; Platinum Performance; Smartbow; Basepaws
US Mars; Mars Incorporated; Mars GmbH; Mars Petcare; Mars Wrigley; Mars Wrigley Confectionery | Wrigley; Wm. Wrigley Jr.; Royal Canin; Pedigree; Whiskas; M&M's; Snickers; Twix; Banfield Pet Hospital; VCA Animal Hospitals; VCA; BluePearl; AniCura; Linnaeus; Uncle Ben's; Ben's Original; KIND; Nature's Bakery; Cesar; Sheba; IAMS; Eukanuba | @mars.com | !Bruno Mars; Mars Hill; Mars Electric; Mars One; Mars Solutions; Mars Marine; Mars Bar Hotel; Mars Agency
US Koch; Koch Industries; Koch Inc; Koch Companies | Georgia-Pacific; Molex; INVISTA; Infor; Guardian Industries; Flint Hills; Brawny | @kochind.com kochinc.com | !Koch Media; Koch Gruppe; Robert Koch
US Cargill; Cargill Incorporated; Cargill Meat Solutions | Diamond Crystal Salt; Truvia; Provimi; Wilbur Chocolate; Honeysuckle White; Shady Brook Farms; Sterling Silver Meats | !Cargill Falls
US SC Johnson; S.C. Johnson; S. C. Johnson & Son; S.C. Johnson & Son; Johnson Wax; S.C. Johnson Professional | Windex; Glade; Raid; OFF!; Ziploc; Pledge; Mr Muscle | @scjohnson.com
US Publix; Publix Super Markets; Publix Asset Management | GreenWise; Publix Liquors | @publix.com
US H-E-B; HEB; HEB Grocery; H-E-B, LP; H. E. Butt Grocery | Central Market; Joe V's Smart Shop; Favor Delivery; Mi Tienda; Favor; HEB Grocery Company; Hill Country Fare | @heb.com | !Heb Manufacturing; Heb Aquatherm; HEB Immobilien
US Albertsons; Albertson's; Albertsons Companies; Safeway; Safeway Inc | Vons; Jewel-Osco; Acme Markets; Shaw's; Tom Thumb; Randalls; Pavilions | @albertsons.com albertsonscompanies.com safeway.com | !Safeway Group; Safeway Driving; Safeway Insurance
US State Farm; State Farm Mutual Automobile Insurance Company; State Farm Insurance; State Farm Mutual; State Farm Insurance Companies | State Farm Fire and Casualty; State Farm Life; GAINSCO; State Farm Bank; State Farm Florida; State Farm General; State Farm Lloyds | @statefarm.com | !State Farm Agent; State Farm Stadium; State Farm Arena
US Liberty Mutual; Liberty Mutual Insurance; Liberty Mutual Group; Liberty Mutual Fire | Safeco; State Auto; Liberty Specialty Markets; Ironshore; Helmsman; American States; Liberty International | @libertymutual.com | !Liberty Tax; Liberty Global; Liberty University
US Nationwide; Nationwide Mutual Insurance Company; Nationwide Mutual; Nationwide Insurance; Nationwide Mutual Fire | Harleysville; Scottsdale Insurance; Jefferson National; Titan Insurance; Allied Insurance; Veterinary Pet Insurance; VPI | @nationwide.com | !Nationwide Building Society; Nationwide Children's; Nationwide Platforms
US Vanguard; The Vanguard Group; Vanguard Group; Vanguard Marketing Corporation; Vanguard Investments | Vanguard Asset; Vanguard Personal Advisor; Just Invest; Vanguard Asset Management; Vanguard National Trust; Vanguard Brokerage; Vanguard Digital | @vanguard.com vanguard.co.uk | !Vanguard Cleaning; Vanguard Truck; Vanguard Furniture
US Enterprise; Enterprise Holdings; Enterprise Mobility; Enterprise Rent-A-Car; EAN Holdings; Enterprise Rent-A-Car UK | Alamo; Alamo Rent A Car; National Car Rental; Zimride; Deem; Exotic Car Collection; Enterprise Car Club | @enterprise.com enterprisemobility.com ehi.com | !Enterprise Bank; Enterprise Products; Enterprise Ireland
US Bed Bath & Beyond; Overstock; Overstock.com; Beyond Inc; Bed Bath and Beyond | Zulily; buybuy BABY; Kirkland's Home; tZERO; Buy Buy Baby; The Brand House Collective; Medici Ventures | @bedbathandbeyond.com overstock.com beyond.com
US Wayfair; Wayfair LLC; Wayfair Stores | Joss & Main; AllModern; Birch Lane; Perigold; Wayfair Professional; Castlegate; Wayfair UK | @wayfair.com | !Wayfair Cafe; Wayfairer; Wayfarer
US Chewy; Chewy.com; Chewy Pharmacy | Petabyte; Goody Box; Practice Hub; SmartEquine; Petabyte Technology; SmartPak; Chewy Vet Care
US IAC; IAC/InterActiveCorp; People Inc; Dotdash Meredith; Meredith Corporation; IAC Publishing | Angi; HomeAdvisor; Care.com; Dotdash; People; Better Homes & Gardens; Investopedia | @iac.com people.inc dotdashmeredith.com
US Match Group; Match.com; Match Group Americas; MG Freesites | Tinder; Hinge; OkCupid; Plenty of Fish; Meetic; OurTime; The League | @mtch.com matchgroup.com match.com
US Bumble; Bumble Inc; Bumble Trading; Bumble Holding | Badoo; Badoo Trading; Fruitz; Official App; Geneva; Bumble BFF; Badoo Limited | !Bumble and bumble; Bumble Bee; Bumble Bee Foods
US Spirit Airlines; Spirit Aviation | Spirit Airlines LLC | @spirit.com
US Alaska Airlines; Alaska Air Group; Alaska Air | Hawaiian Airlines; Horizon Air; Virgin America; McGee Air Services; Hawaiian Holdings; Atmos Rewards | @alaskaair.com
US JetBlue; JetBlue Airways; JetBlue Airways Corporation | JetBlue Vacations; Paisly; JetBlue Travel Products; JetBlue Ventures; JetBlue Technology; JBTP | @jetblue.com
US Hyatt; Hyatt Hotels; Hyatt Corporation; Hyatt Hotels Corporation; Hyatt International | Apple Leisure Group; ALG Vacations; Andaz; Grand Hyatt; Park Hyatt; Dream Hotels; Mr & Mrs Smith | !Hyatt Die Cast; Hyatt Vacation Ownership; Hyatt Legal
US Wyndham; Wyndham Hotels & Resorts; Wyndham Hotels; Wyndham Hotel Group | Days Inn; Super 8; Ramada; La Quinta; Travelodge US; Microtel; Baymont | @wyndhamhotels.com | !Wyndham Destinations; Wyndham Vacation; Club Wyndham
US Choice Hotels; Choice Hotels International | Comfort Inn; Quality Inn; Clarion; Radisson Americas; Cambria Hotels; Econo Lodge; Rodeway Inn | @choicehotels.com
US Tripadvisor; TripAdvisor; Tripadvisor LLC | Viator; TheFork; LaFourchette; Cruise Critic; FlipKey; Jetsetter; SeatGuru
US Lyft; Lyft Inc | FREENOW; Motivate; TBR Global; PBSC; Bay Wheels; Citi Bike; Divvy Bikes | !Lyft Fitness; Lyft Weightloss
US Zillow; Zillow Group; Zillow Inc | Trulia; StreetEasy; HotPads; Out East; ShowingTime; Zillow Home Loans; dotloop
US Rocket; Rocket Companies; Rocket Mortgage; Quicken Loans | Rocket Homes; Rocket Money; Truebill; Amrock; Redfin; Mr. Cooper; Rocket Loans | @rocketmortgage.com rocketcompanies.com rocket.com | !Rocket Internet; Rocket Lab; Rocket Fuel
`;
