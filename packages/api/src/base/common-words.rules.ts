/** Common parts of passwords, most common first within each line; without digits and symbols. */
const lines = [
  'password passwort passw passwd passphrase passcode pass secret secrets letmein welcome login logon signin changeme',
  'change me default temp temporary initial guest user users username test testing tester example sample demo trial',
  'admin administrator root toor super superuser sysadmin system operator manager master service server support',
  'cloud console gantry instance silo project network database backup oracle postgres mysql ubuntu debian linux',
  'windows microsoft google apple amazon github gitlab docker kubernetes jenkins cisco company office internet computer',
  'iloveyou loveyou love lovely lover forever princess prince queen king angel angels baby babygirl sweetheart honey',
  'sunshine summer winter spring autumn january february march april june july august september october november december',
  'monday tuesday wednesday thursday friday saturday sunday morning today tomorrow hello hellothere goodbye please thanks',
  'football baseball basketball soccer hockey tennis golf liverpool arsenal chelsea manchester barcelona juventus lakers',
  'cowboys yankees eagles rangers steelers superman batman spiderman pokemon pikachu starwars matrix minecraft naruto',
  'dragon monkey tiger lion panther eagle falcon shadow ninja samurai warrior hunter killer phoenix wolf bear puppy kitty',
  'michael michelle jennifer jessica jordan daniel thomas robert william charlie andrew joshua matthew anthony nicole',
  'ashley amanda maggie maria martin george peter patrick richard samantha elizabeth alexander victoria christian jesus',
  'cookie banana chocolate coffee cheese pepper ginger orange apple cherry peanut butter flower flowers rainbow butterfly',
  'purple yellow green black white silver golden diamond crystal mustang ferrari porsche mercedes corvette harley yamaha',
  'whatever nothing something trustno nopassword mypassword yourpassword thepassword newpassword oldpassword myself',
  'freedom liberty america canada london paris berlin germany england france spain italy europe australia brazil mexico',
  'fuckyou fuck asshole bitch sexy pussy hottie buster access private security secure safety number money lucky winner',
  'correcthorsebatterystaple correcthorse batterystaple opensesame opendoor abracadabra',
]

export const commonWords: ReadonlySet<string> = new Set(lines.flatMap((line) => line.split(' ')))
