import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** In the order in which they are ended. */
const names = ['ctrl', 'northd', 'vswitchd', 'sb', 'nb', 'conf'] as const
const schemas = { conf: 'openvswitch/vswitch', nb: 'ovn/ovn-nb', sb: 'ovn/ovn-sb' }
const folders = [
  'OVS_RUNDIR',
  'OVS_LOGDIR',
  'OVS_DBDIR',
  'OVS_SYSCONFDIR',
  'OVN_RUNDIR',
  'OVN_LOGDIR',
  'OVN_DBDIR',
]
/** Of the host's own switches; the bridge to the outside is known to OVN as `outside`. */
const settings = {
  'system-id': 'host',
  'ovn-encap-type': 'geneve',
  'ovn-encap-ip': '127.0.0.1',
  'ovn-bridge-datapath-type': 'netdev',
  'ovn-bridge-mappings': 'outside:br-outside',
}

/** Open vSwitch and OVN of one host, in a network namespace and without the kernel's datapath. */
export class Daemons {
  private constructor(private readonly folder: string) {}

  static async start(namespace: string): Promise<Daemons> {
    const daemons = new Daemons(await mkdtemp(path.join(os.tmpdir(), 'gantry-ovn-')))
    await daemons.#start(['ip', 'netns', 'exec', namespace])
    return daemons
  }

  async #start(inside: readonly string[]): Promise<void> {
    for (const [name, schema] of Object.entries(schemas)) {
      this.#run(['ovsdb-tool', 'create', this.#at(`${name}.db`), `/usr/share/${schema}.ovsschema`])
      this.#detach(name, ['ovsdb-server', this.#at(`${name}.db`), `--remote=p${this.socket(name)}`])
    }
    this.vsctl('--no-wait', 'init')
    this.#detach('vswitchd', [...inside, 'ovs-vswitchd', this.socket('conf')])
    const ids = Object.entries({ ...settings, 'ovn-remote': this.socket('sb') })
    this.vsctl('set', 'open', '.', ...ids.map(([name, value]) => `external-ids:${name}=${value}`))
    this.vsctl('add-br', 'br-outside', '--', 'set', 'bridge', 'br-outside', 'datapath_type=netdev')
    const databases = [`--ovnnb-db=${this.socket('nb')}`, `--ovnsb-db=${this.socket('sb')}`]
    this.#detach('northd', ['ovn-northd', ...databases])
    this.#detach('ctrl', [...inside, 'ovn-controller', this.socket('conf')])
    for (let tries = 0; !this.vsctl('list-br').includes('br-int'); tries++) {
      if (tries > 100) throw new Error('OVN made no bridge')
      await sleep(100)
    }
  }

  /** As these programs name it. */
  socket = (name: string): string => `unix:${this.#at(`${name}.sock`)}`

  vsctl = (...words: string[]): string => this.#run(['ovs-vsctl', `--db=${this.socket('conf')}`, ...words])

  /** MiB of resident memory of each. */
  async memory(): Promise<Record<string, number>> {
    const entries = names.map(async (name) => {
      const status = await readFile(`/proc/${await this.#pid(name)}/status`, 'utf8')
      return [name, Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  }

  async stop(): Promise<void> {
    for (const name of names) process.kill(await this.#pid(name))
    await sleep(500)
    await rm(this.folder, { recursive: true, force: true })
  }

  #at = (file: string): string => path.join(this.folder, file)
  #pid = async (name: string): Promise<number> => Number(await readFile(this.#at(`${name}.pid`), 'utf8'))

  #detach(name: string, words: readonly string[]): void {
    const [pid, log, control] = ['pid', 'log', 'ctl'].map((ending) => this.#at(`${name}.${ending}`))
    // ovn-controller names its control socket itself.
    const controlled = name === 'ctrl' ? [] : [`--unixctl=${control}`]
    // It outlives a pipe for its output, and would end by writing to it.
    this.#run([...words, `--pidfile=${pid}`, `--log-file=${log}`, ...controlled, '--detach'], 'ignore')
  }

  #run([program = '', ...words]: readonly string[], output: 'pipe' | 'ignore' = 'pipe'): string {
    const env = { ...process.env, ...Object.fromEntries(folders.map((name) => [name, this.folder])) }
    return execFileSync(program, words, { env, encoding: 'utf8', stdio: ['ignore', output, 'ignore'] })
  }
}
