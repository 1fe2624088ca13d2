/**
 * Given names and surnames that are frequent in many countries: beside a company's name they point to a person, a dealer or an agent.
 * Folded (`foldText`). Our own list, from general knowledge of frequent names.
 */
export const givenNames: readonly string[] = [
  'james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald steven paul andrew joshua',
  'kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin',
  'samuel gregory frank alexander raymond patrick jack dennis jerry tyler aaron jose adam nathan henry douglas zachary peter kyle ethan walter noah',
  'jeremy christian keith roger terry austin sean gerald carl harold dylan arthur lawrence jordan jesse bryan billy bruce gabriel joe logan alan juan',
  'albert willie elijah wayne randy roy ralph eugene russell bobby mason philip louis harry vincent bob bill tom jim mike dave dan steve jake ken kurt',
  'mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra margaret ashley kimberly emily donna michelle carol',
  'amanda melissa deborah stephanie rebecca laura helen sharon cynthia kathleen amy angela shirley anna brenda emma pamela nicole samantha katherine',
  'christine debra rachel carolyn janet maria catherine heather diane olivia julie joyce victoria kelly christina joan evelyn lauren judith megan alice',
  'ann jean doris jacqueline martha gloria teresa sara janice kathryn frances jenny kate lucy eli ellen',
  'hans peter klaus jurgen wolfgang heinz werner gunter uwe dieter bernd horst helmut karl gerhard stefan andreas martin frank alois georg sebastian',
  'tobias florian jan tim lukas felix jonas ursula monika petra sabine renate heike anja katrin',
  'jean pierre michel andre philippe alain bernard jacques francois christophe laurent nicolas marie isabelle sylvie sophie nathalie celine martine',
  'giuseppe giovanni antonio mario luigi francesco angelo vincenzo pietro salvatore carlo franco domenico bruno paolo marco giorgio andrea luca stefano',
  'giulia chiara francesca maria elena silvia',
  'jose antonio manuel francisco juan javier jesus carlos miguel pedro angel rafael fernando luis pablo jorge alberto diego sergio carmen pilar lucia',
  'joao antonio francisco luiz paulo marcos pedro rodrigo ana fernanda juliana adriana luiza',
  'jan piotr andrzej krzysztof stanislaw tomasz pawel marcin michal jerzy tadeusz adam lukasz zbigniew katarzyna malgorzata agnieszka',
  'jiri josef pavel martin tomas jaroslav petr miroslav zdenek vaclav laszlo istvan jozsef janos zoltan sandor gabor ferenc attila peter tamas',
  'ivan sergei sergey aleksandr aleksei dmitri dmitry andrei vladimir mikhail nikolai yuri viktor oleg igor pavel olga elena natalia natalya irina tatiana svetlana',
  'mehmet mustafa ahmet ali huseyin hasan ibrahim ismail osman murat fatma ayse emine hatice zeynep',
  'mohammed muhammad ahmed mohamed omar hassan hussein khalid abdullah fatima aisha',
  'lars anders per erik nils sven karin bjorn ole kari jussi matti antti mika virtanen',
  'raj rahul amit sanjay vijay anil suresh ramesh rajesh priya anita sunita deepak',
];

/** Frequent surnames. */
export const surnames: readonly string[] = [
  'smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson anderson thomas taylor moore jackson martin',
  'lee perez thompson white harris sanchez clark ramirez lewis robinson walker young allen king wright scott torres nguyen hill flores green adams nelson',
  'baker hall rivera campbell mitchell carter roberts gomez phillips evans turner diaz parker cruz edwards collins reyes stewart morris morales murphy cook',
  'rogers gutierrez ortiz morgan cooper peterson bailey reed kelly howard ramos kim cox ward richardson watson brooks chavez wood james bennett gray mendoza',
  'ruiz hughes price alvarez castillo sanders patel myers long ross foster jimenez powell jenkins perry russell sullivan bell coleman butler henderson barnes',
  'fisher vasquez simmons romero jordan patterson alexander hamilton graham reynolds griffin wallace moreno west cole hayes bryant herrera gibson ellis tran',
  'medina aguilar stevens murray ford castro marshall owens harrison fernandez woods washington kennedy wells vargas henry chen freeman webb tucker guzman',
  'muller schmidt schneider fischer weber meyer wagner becker schulz hoffmann schafer koch bauer richter klein wolf schroder neumann schwarz zimmermann',
  'braun kruger hofmann hartmann lange schmitt werner schmitz krause meier lehmann schmid schulze maier kohler herrmann konig walter mayer huber kaiser fuchs',
  'peters lang scholz moller weiss jung hahn schubert vogel friedrich keller gunther frank berger winkler roth beck lorenz baumann franke albrecht schuster',
  'simon ludwig bohm winter kraus martin schumacher kramer vogt stein jager otto sommer gross seidel heinrich brandt haas schreiber graf dietrich ziegler',
  'gruber steiner moser mayr leitner novak nowak kowalski wisniewski wojcik kowalczyk kaminski lewandowski zielinski szymanski svoboda novotny dvorak cerny',
  'bernard dubois thomas robert richard petit durand leroy moreau simon laurent lefebvre michel garcia david bertrand roux vincent fournier morel girard andre',
  'lefevre mercier dupont lambert bonnet francois dupuis',
  'rossi russo ferrari esposito bianchi romano colombo ricci marino greco bruno gallo conti deluca costa giordano mancini rizzo lombardi moretti',
  'silva santos oliveira souza rodrigues ferreira alves pereira lima gomes ribeiro carvalho almeida lopes soares fernandes vieira barbosa rocha dias',
  'jansen devries vandenberg bakker visser smit meijer degroot bos vos peters hendriks dekker brouwer dejong',
  'andersson johansson karlsson nilsson eriksson larsson olsson persson svensson gustafsson hansen nielsen jensen pedersen andersen larsen sorensen rasmussen',
  'korhonen virtanen nieminen makinen nagy kovacs toth szabo horvath varga molnar nemeth farkas ivanov petrov smirnov kuznetsov popov kovalenko shevchenko',
  'yilmaz kaya demir sahin celik yildiz yildirim ozturk aydin ozdemir papadopoulos kumar singh sharma gupta khan shah reddy das',
  'wang li zhang liu chen yang huang zhao wu zhou tanaka suzuki sato takahashi watanabe ito yamamoto park choi jung kang adeyemi okafor okonkwo okoro',
];
