import {
  type CommandContext,
  type CommandEffect,
  type CommandResult,
  type Commands,
  print,
} from './command.ts'

/** Shell built-ins, and commands that end the session or the VM. */
export const sessionCommands: Commands = {
  echo: { summary: 'its arguments', run: echo },
  history: { summary: 'lines entered before', run: history },
  clear: { summary: 'clear the screen', run: () => effect('clear') },
  exit: { summary: 'log out', run: () => effect('logout') },
  logout: { summary: 'log out', run: () => effect('logout') },
  poweroff: { summary: 'stop the machine', run: () => effect('poweroff') },
  halt: { summary: 'stop the machine', run: () => effect('poweroff') },
  shutdown: { summary: 'stop the machine (-r to reboot)', run: shutdown },
  reboot: { summary: 'start the machine again', run: () => effect('reboot') },
}

function effect(name: CommandEffect): CommandResult {
  return { lines: [], effect: name }
}

function shutdown(_: CommandContext, args: readonly string[]): CommandResult {
  return effect(args.some((arg) => arg === '-r' || arg === '--reboot') ? 'reboot' : 'poweroff')
}

function echo(_: CommandContext, args: readonly string[]): CommandResult {
  const words = args[0] === '-n' ? args.slice(1) : args
  return print(words.join(' '))
}

function history({ history }: CommandContext): CommandResult {
  return print(...history.map((line, index) => `${String(index + 1).padStart(5)}  ${line}`))
}
