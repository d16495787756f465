/** The size of an instance in the demo world: vCPUs, and GiB of memory and disk. */
export interface PlannedMachine {
  name: string
  ncpus: number
  memory: number
  disk: number
  state: 'running' | 'stopped' | 'failed'
  /** Ran on the sled that is lost: it failed there, or was restarted on another one. */
  wasLost: boolean
}
export interface PlannedProject {
  silo: string
  name: string
  description: string
  machines: readonly PlannedMachine[]
  /** Unattached floating IPs. */
  floating: readonly string[]
}

type Size = readonly [ncpus: number, memory: number, disk: number]

/** A number of similar instances, of which the first few were on the lost sled, and the last few are stopped. */
function some(
  name: string,
  count: number,
  [ncpus, memory, disk]: Size,
  { stopped = 0, failed = 0, restarted = 0 } = {},
): PlannedMachine[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${name}-${index + 1}`,
    ncpus,
    memory,
    disk,
    state: index < failed ? 'failed' : index >= count - stopped ? 'stopped' : 'running',
    wasLost: index < failed + restarted,
  }))
}

export const plannedProjects: readonly PlannedProject[] = [
  {
    silo: 'forge',
    name: 'build-farm',
    description: 'Runners that compile and test',
    machines: [
      ...some('runner', 10, [8, 32, 100], { stopped: 2, failed: 1, restarted: 4 }),
      ...some('cache', 2, [4, 16, 400]),
    ],
    floating: ['artifacts', 'registry'],
  },
  {
    silo: 'forge',
    name: 'parts-catalogue',
    description: 'What customers order from',
    machines: [
      ...some('web', 4, [2, 4, 20], { restarted: 2 }),
      ...some('db', 2, [8, 64, 500], { stopped: 1 }),
      ...some('search', 2, [4, 32, 200], { failed: 1 }),
    ],
    floating: ['shop', 'shop-next', 'api', 'mail'],
  },
  {
    silo: 'forge',
    name: 'analytics',
    description: 'Reports and forecasts',
    machines: [...some('notebook', 3, [4, 16, 50], { stopped: 2 })],
    floating: ['reports', 'ingest', 'dashboards'],
  },
  {
    silo: 'lagoon',
    name: 'tide-model',
    description: 'Simulations of currents',
    machines: [
      ...some('solver', 5, [4, 16, 200], { stopped: 1, failed: 0 }),
      ...some('scheduler', 1, [2, 4, 20]),
    ],
    floating: ['results'],
  },
  {
    silo: 'lagoon',
    name: 'field-stations',
    description: 'What buoys and gauges send',
    machines: [
      ...some('collector', 6, [2, 4, 40], { stopped: 1, restarted: 2 }),
      ...some('archive', 2, [4, 8, 900], { failed: 1 }),
      ...some('map', 3, [2, 4, 20]),
    ],
    floating: ['uplink'],
  },
]

/** Slots of the sleds for running instances, in turn: some sleds are busy, some nearly empty. */
export const slotsInTurn = [0, 0, 1, 0, 2, 0, 1, 3, 0, 1, 2, 0, 4, 1, 0, 5] as const
