import { dateLine, secondsBetween, timeOfDay, upFor } from '../clock.ts'
import { ARCHITECTURE, hostnameOf, releaseOf } from '../system.ts'
import { type CommandContext, type CommandResult, type Commands, fail, print } from './command.ts'

/** Identity: the system's names, the user's, and the time. */
export const identityCommands: Commands = {
  uname: { summary: 'kernel and machine names (-a, -r, -n)', run: uname },
  hostname: { summary: 'name of this machine', run: ({ facts }) => print(hostnameOf(facts)) },
  whoami: { summary: 'your user name', run: ({ user }) => print(user) },
  id: { summary: 'your user and group ids', run: ({ user }) => print(idOf(user)) },
  date: { summary: 'date and time', run: ({ now }) => print(dateLine(now)) },
  uptime: { summary: 'how long the machine has been up', run: uptime },
}

function idOf(user: string): string {
  if (user === 'root') return 'uid=0(root) gid=0(root) groups=0(root)'
  return `uid=1000(${user}) gid=1000(${user}) groups=1000(${user}),27(sudo)`
}

function uptime({ bootedAt, now }: CommandContext): CommandResult {
  const up = upFor(secondsBetween(bootedAt, now))
  return print(` ${timeOfDay(now)} up ${up},  1 user,  load average: 0.04, 0.02, 0.00`)
}

function uname({ facts }: CommandContext, args: readonly string[]): CommandResult {
  // Printed in this order, whatever the order of the options.
  const fields: [string, string][] = [
    ['s', 'Linux'],
    ['n', hostnameOf(facts)],
    ['r', releaseOf(facts).kernel],
    ['v', '#1 SMP PREEMPT_DYNAMIC'],
    ['m', ARCHITECTURE],
    ['o', 'GNU/Linux'],
  ]
  const options = args.flatMap((arg) => (arg.startsWith('-') ? Array.from(arg.slice(1)) : [arg]))
  const unknown = options.find((option) => option !== 'a' && !fields.some(([name]) => name === option))
  if (unknown !== undefined) return fail(`uname: unknown option '${unknown}'`)
  const wanted = options.length === 0 ? ['s'] : options
  const shown = fields.filter(([name]) => wanted.includes('a') || wanted.includes(name))
  return print(shown.map(([, value]) => value).join(' '))
}
