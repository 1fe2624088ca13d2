/**
 * Large cities, as dealers, branches of agencies and local businesses add them to a name. Folded (`foldText`), one word each. Our own
 * list, from general knowledge.
 */
export const cityWords: readonly string[] = [
  'london manchester birmingham leeds glasgow liverpool edinburgh bristol sheffield cardiff belfast nottingham leicester newcastle devon kent essex surrey',
  'york manhattan brooklyn angeles chicago houston phoenix philadelphia antonio diego dallas austin jacksonville columbus charlotte indianapolis seattle',
  'denver boston nashville detroit portland memphis louisville baltimore milwaukee albuquerque tucson fresno sacramento atlanta miami orlando tampa omaha',
  'raleigh cleveland minneapolis wichita arlington tulsa bakersfield aurora honolulu anaheim riverside lexington stockton cincinnati pittsburgh anchorage',
  'hollywood beverly hills francisco jose vegas santa monica barbara laredo plano ventura apopka boerne danvers renton augustine augusta savannah naples',
  'ohio texas florida california nevada arizona oregon michigan illinois virginia carolina tennessee kentucky alabama louisiana oklahoma colorado utah',
  'kansas missouri iowa minnesota wisconsin indiana pennsylvania jersey massachusetts connecticut maryland delaware maine vermont hampshire dakota wyoming',
  'montana idaho hawaii alaska arkansas mississippi nebraska',
  'toronto montreal vancouver calgary ottawa edmonton winnipeg quebec ontario laval sydney melbourne brisbane perth adelaide bendigo auckland wellington',
  'berlin hamburg munchen munich koln cologne frankfurt stuttgart dusseldorf dortmund essen leipzig bremen dresden hannover nurnberg duisburg bochum',
  'wuppertal bielefeld bonn munster karlsruhe mannheim augsburg wiesbaden kiel magdeburg freiburg lubeck erfurt mainz rostock kassel ludenscheid',
  'wien vienna graz linz salzburg innsbruck zurich geneve geneva basel bern lausanne luzern',
  'paris marseille lyon toulouse nice nantes strasbourg montpellier bordeaux lille rennes reims toulon grenoble dijon angers',
  'roma rome milano milan napoli torino turin palermo genova bologna firenze florence bari catania venezia verona padova trieste brescia',
  'madrid barcelona valencia sevilla zaragoza malaga murcia palma bilbao alicante cordoba valladolid vigo lisboa lisbon porto braga coimbra',
  'amsterdam rotterdam utrecht eindhoven haag groningen antwerpen gent brussels bruxelles brussel liege',
  'stockholm goteborg malmo oslo bergen kobenhavn copenhagen aarhus helsinki tampere turku espoo reykjavik',
  'warszawa warsaw krakow lodz wroclaw poznan gdansk szczecin katowice praha prague brno ostrava plzen bratislava kosice budapest debrecen szeged',
  'bucuresti bucharest cluj timisoara sofia beograd belgrade zagreb split ljubljana sarajevo sibenik athens athina thessaloniki',
  'istanbul ankara izmir antalya bursa adana kadikoy moskva moscow petersburg kazan novosibirsk ekaterinburg ufa kyiv kiev kharkiv odesa lviv minsk',
  'tokyo osaka kyoto nagoya yokohama sapporo fukuoka seoul busan incheon daegu chengdu wuhan taipei',
  'mumbai delhi bangalore bengaluru hyderabad chennai kolkata pune ahmedabad jaipur jakarta surabaya bandung manila bangkok hanoi saigon',
  'cairo lagos nairobi johannesburg durban casablanca tunis accra abuja riyadh jeddah doha muscat',
  'bogota medellin lima santiago buenos aires rosario montevideo quito caracas guadalajara monterrey paulo janeiro brasilia salvador fortaleza curitiba',
  'panama tijuana puebla cancun havana uberlandia',
];
