import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import readline from 'node:readline'
import { fileURLToPath } from 'node:url'
import { eventually } from '../../packages/control-plane/src/testing/control-plane.ts'
import { openedBy } from './tap-opener.ts'

const talk = fileURLToPath(new URL('talk.mjs', import.meta.url))

/** A namespace in place of a machine, whose kernel speaks TCP. */
export interface KernelGuest {
  namespace: string
  run: (...words: string[]) => string
  /** Runs until the guest is removed. */
  start: (input: string, ...words: string[]) => void
  /** Serves until the guest is removed. */
  serve: (what: 'serveTcp' | 'serveUdp', port: number, own?: string) => Promise<void>
  ask: (what: 'askTcp' | 'askUdp', ...args: (string | number)[]) => Promise<Answer>
  resolve: (server: string, name: string) => Promise<{ addresses: string[] } | { error: string }>
  hold: (host: string, port: number) => Promise<Held>
}
type Answer =
  | { server: string; client: string; port: number; returned?: number; message?: string }
  | { error: string }
interface Held {
  client: string
  /** Whether a byte comes back. */
  isAnswered: () => Promise<boolean>
}

/** The end of a wire: a tap that exists, and who is behind it. */
export interface Wire {
  tap: string
  namespace: string
  mac: string
  addresses: readonly string[]
  gateway: string | undefined
}

/** Puts a namespace behind each tap: QEMU carries frames between it and another tap, which moves there. */
export async function wireGuests(
  enter: readonly string[],
  wires: readonly Wire[],
): Promise<{ guests: KernelGuest[]; close: () => Promise<void> }> {
  const processes: ChildProcess[] = []
  const inside = (...words: string[]): string => run([...enter, ...words])
  const far = (n: number): string => `far${n}`
  for (const n of wires.keys()) inside('ip', 'tuntap', 'add', 'dev', far(n), 'mode', 'tap')
  const opener = openedBy(
    enter,
    wires.flatMap(({ tap }, n) => [
      `tap,id=t${n},ifname=${tap},script=no,downscript=no`,
      `tap,id=f${n},ifname=${far(n)},script=no,downscript=no`,
      `hubport,id=a${n},hubid=${n},netdev=t${n}`,
      `hubport,id=b${n},hubid=${n},netdev=f${n}`,
    ]),
  )
  for (const [n, wire] of wires.entries()) {
    inside('ip', 'link', 'set', far(n), 'up')
    await eventually(
      async () => inside('ip', 'link', 'show', far(n)),
      (link) => link.includes('LOWER_UP'),
    )
    run(['ip', 'netns', 'add', wire.namespace])
    inside('ip', 'link', 'set', far(n), 'down', 'netns', wire.namespace)
    setUp(wire, far(n))
  }
  return {
    guests: wires.map(({ namespace }) => guestIn(namespace, processes)),
    close: async () => {
      for (const child of processes) child.kill('SIGKILL')
      await opener.end()
      for (const { namespace } of wires) run(['ip', 'netns', 'del', namespace])
    },
  }
}

function setUp({ namespace, mac, addresses, gateway }: Wire, device: string): void {
  const ip = (...words: string[]) => run(['ip', '-n', namespace, ...words])
  ip('link', 'set', 'lo', 'up')
  ip('link', 'set', device, 'name', 'eth0', 'address', mac)
  for (const address of addresses) ip('addr', 'add', address, 'dev', 'eth0')
  ip('link', 'set', 'eth0', 'up')
  if (gateway !== undefined) ip('route', 'add', 'default', 'via', gateway)
}

/** Namespaces of guests are named after the stage, then after the guest. */
export const nameOf = (namespace: string): string => namespace.split('-').at(-1) ?? ''

/** The guest in a namespace. */
export function guestIn(namespace: string, processes: ChildProcess[]): KernelGuest {
  const enter = ['nsenter', `--net=/run/netns/${namespace}`, '--']
  const start = (...words: (string | number)[]) => {
    const [program = '', ...args] = [...enter, process.execPath, talk, ...words.map(String)]
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    processes.push(child)
    const lines = readline.createInterface({ input: child.stdout })
    return { child, next: async () => JSON.parse(((await once(lines, 'line')) as [string])[0]) }
  }
  return {
    namespace,
    run: (...words) => run([...enter, ...words]),
    start: (input, ...words) => {
      const [program = '', ...args] = [...enter, ...words]
      const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'inherit'] })
      processes.push(child)
      child.stdin.end(input)
    },
    serve: async (what, port, own = '0.0.0.0') =>
      void (await start(what, port, own, nameOf(namespace)).next()),
    ask: async (what, ...args) => (await start(what, ...args).next()) as Answer,
    resolve: async (server, name) => (await start('askName', server, name).next()) as { addresses: string[] },
    hold: async (host, port) => {
      const { child, next } = start('holdTcp', host, port)
      const { client } = (await next()) as { client: string }
      return {
        client,
        isAnswered: async () => {
          child.stdin.write('\n')
          return Promise.race([
            next().then(() => true),
            new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 1500)),
          ])
        },
      }
    },
  }
}

function run([program = '', ...words]: readonly string[]): string {
  return execFileSync(program, words, { encoding: 'utf8' })
}
