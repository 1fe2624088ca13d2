/**
 * Given names that are frequent in Europe and America, folded: a column in which many cells begin with one is a column of persons. Our choice,
 * kept to names that are seldom the first word of a company's name.
 */
export const givenNames: ReadonlySet<string> = new Set(
  `adam adrian agnieszka alan albert alejandro aleksandr aleksandra alessandro alex alexander alexandra alexey alfred alice ali alina amanda amy ana andre
  andrea andreas andrei andrej andrew andrey andrzej angela anita anja anke ann anna anne annette anthony antje anton antonio antti artur arturo
  ashley astrid barbara bart beata beate ben benjamin bernd bernhard birgit bjorn bogdan boris brandon brian brigitte bruno burak camille carla carlos carmen
  carolin caroline catherine cecile celine charles charlotte chloe chris christian christiane christina christine christoph christophe christopher
  claire clara claudia claus corinna cristian cristina dagmar dan daniel daniela daniele dariusz david deborah denis dennis diana didier dieter dimitris
  dirk dmitry dominik dominique donald doris dorothea edward ekaterina elena elisabeth elizabeth elke emil emily emma emmanuel enrico
  erik erika ernst esther eva ewa fabian fabio federico felix fernando florian francesca francesco francisco francois frank franz fred frederic friedrich
  gabriel gabriele george georg georgios gerald gerard gerd gerhard gianni gilles giorgio giovanni giulia giuseppe grzegorz guido guillaume gunter gustav hanna
  hannah hans harald heike heinz helen helena helene helga helmut hendrik henning henrik herbert hermann holger horst hugo ian ignacio igor ilona
  inga inge ingo ingrid irina iris isabel isabelle ivan ivana iwona jacek jack jacob jacques jakub james jan jana jane janina janusz jaroslav jason javier
  jean jeff jeffrey jennifer jens jeremy jerome jerzy jessica jim jiri joachim joan joanna joao jochen joe joel johan johann johanna johannes john jonas
  jonathan jordi jorg jorge jose josef joseph joshua juan juha julia julian julie julien jurgen justin kai karen karin karl karolina katarina katarzyna katharina
  katherine kathrin kathryn katja katrin kelly ken kenneth kerstin kevin kimberly klaus konrad krzysztof lars laura lauren laurent lea lena leo leon leonardo
  leonie linda lisa lothar louis louise luca lucas lucia luigi luis lukas lukasz luke magdalena maja malgorzata manfred manuel manuela marc marcel marcin marco
  marek margaret maria marian marianne marie marina mario marion marius mark markku marko markus marta martha martin martina mary massimo mateusz matteo matthew
  matthias matti maurice maurizio max maximilian mehmet melanie melissa mia michael michaela michal michel michele michelle miguel mihai mike mikael mikhail
  milan mirko miroslav mohamed mohammed monica monika morten mustafa nadine natalia natalie natasha nathalie nicholas nick nicola nicolas nicole
  niels nikolai nikolaos nils nina nora norbert oleg olga oliver olivier oscar oskar otto pablo paola paolo pascal patricia patrick patrik paul paula paulo pavel
  pawel pedro peter petr petra philip philipp philippe pierre pietro piotr rachel rafael rainer ralf ralph ramona raymond rebecca regina reinhard renate rene
  ricardo richard rita robert roberto robin roger roland rolf roman ronald rosa rudolf ruth ryan sabine sabrina salvatore samantha samuel sandra sandrine sara
  sarah scott sean sebastian sergei sergey sergio sharon sigrid silke silvia simon simona simone sofia sofie sonja sophie stefan stefania stefano stefanie
  steffen stephan stephane stephanie stephen steve steven stuart susan susanne svetlana sven sylvia sylvie tamara tanja tatiana teresa thierry thomas thorsten tibor
  tim timo timothy tina tobias tom tomas tomasz torsten udo ulrich ulrike ursula ute uwe valentina valerie vanessa vasile vera veronika victor viktor vincent
  vincenzo vladimir volker walter werner wilhelm william wojciech wolfgang xavier yann yannick yves yvonne zbigniew zoltan zsolt
  александр алексей анастасия андрей анна антон артем борис валентина валерии василии вера виктор виктория виталии владимир галина григории дарья денис дмитрии
  евгении екатерина елена иван игорь илья ирина кирилл константин ксения лариса людмила максим марина мария михаил наталья надежда николаи оксана олег ольга
  павел петр роман светлана сергеи степан татьяна юлия юрии олександр сергіи андріи наталія ірина олена микола
  γιωργος δημητρης ελενη κωνσταντινος μαρια νικος`.split(/\s+/),
);
