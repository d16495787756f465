import { timeOfDay } from '../clock.ts'
import { SERIAL_LINE } from '../system.ts'
import { table } from '../units.ts'
import { memoryUse } from '../usage.ts'
import { type CommandContext, type CommandResult, type Commands, print } from './command.ts'

export const processCommands: Commands = {
  ps: { summary: 'running processes (ps aux for all)', run: ps },
}

interface Process {
  user: string
  pid: number
  /** Resident memory, KiB. */
  rss: number
  tty: string
  stat: string
  start: Date
  command: string
}

function ps(cx: CommandContext, args: readonly string[]): CommandResult {
  const wantsAll = /[aAex]/.test(args.join(''))
  const processes = processesOf(cx)
  if (wantsAll) return print(...everything(processes, memoryUse(cx.facts).total / 1024))
  const own = processes.filter(({ tty, user }) => tty === SERIAL_LINE && user === cx.user)
  const rows = own.map(({ pid, tty, command }) => [String(pid), tty, '00:00:00', nameOf(command)])
  return print(...table([['    PID', 'TTY     ', '    TIME', 'CMD'], ...rows], [0, 2]))
}

function processesOf({ user, bootedAt, loggedInAt, now }: CommandContext): Process[] {
  const service = (pid: number, rss: number, command: string, owner = 'root'): Process => {
    return { user: owner, pid, rss, tty: '?', stat: 'Ss', start: bootedAt, command }
  }
  const onLine = (
    pid: number,
    rss: number,
    stat: string,
    start: Date,
    command: string,
    owner = user,
  ): Process => {
    return { user: owner, pid, rss, tty: SERIAL_LINE, stat, start, command }
  }
  return [
    service(1, 13212, '/sbin/init'),
    service(2, 0, '[kthreadd]'),
    service(196, 15820, '/usr/lib/systemd/systemd-journald'),
    service(211, 9104, '/usr/lib/systemd/systemd-udevd'),
    service(338, 9688, '/usr/lib/systemd/systemd-networkd', 'systemd+'),
    service(351, 7420, '/usr/lib/systemd/systemd-timesyncd', 'systemd+'),
    service(433, 2476, '/usr/sbin/cron -f'),
    service(447, 7912, 'sshd: /usr/sbin/sshd -D'),
    onLine(502, 4320, 'Ss', bootedAt, '/bin/login -p --', 'root'),
    onLine(531, 4984, 'S', loggedInAt, '-bash'),
    onLine(548, 4012, 'R+', now, 'ps'),
  ]
}

function everything(processes: Process[], totalKib: number): string[] {
  const header = [
    'USER    ',
    '    PID',
    '%CPU',
    '%MEM',
    '   RSS',
    'TTY     ',
    'STAT',
    'START',
    '  TIME',
    'COMMAND',
  ]
  const rows = processes.map(({ user, pid, rss, tty, stat, start, command }) => {
    const share = ((rss * 100) / totalKib).toFixed(1)
    const owner = user.length > 8 ? `${user.slice(0, 7)}+` : user
    return [
      owner,
      String(pid),
      '0.0',
      share,
      String(rss),
      tty,
      stat,
      timeOfDay(start).slice(0, 5),
      '0:00',
      command,
    ]
  })
  return table([header, ...rows], [1, 2, 3, 4, 8])
}

/** `bash` of `-bash`, `login` of `/bin/login -p --`. */
function nameOf(command: string): string {
  const [program = ''] = command.split(' ')
  return program.slice(program.lastIndexOf('/') + 1).replace(/^-/, '')
}
