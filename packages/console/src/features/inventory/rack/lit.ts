import type { SledUse } from '../queries.ts'

type Running = SledUse['instances'][number]

/** The instance or anti-affinity group under the pointer or focus, by id. */
export type Pointed = { instance: string } | { group: string }

interface Group {
  id: string
  name: string
  projectName: string
  siloName: string
  /** Serial numbers of the sleds that run its members, each once, from the lowest slot up. */
  serials: readonly string[]
  members: number
}

const isIn = (groups: ReadonlySet<string>, { antiAffinityGroups }: Running): boolean =>
  antiAffinityGroups.some(({ id }) => groups.has(id))

/** Ids of the sleds that run the instance and the other members of its groups, or the members of the group. */
export function sledsWith(uses: readonly SledUse[], pointed: Pointed | undefined): ReadonlySet<string> {
  if (!pointed) return new Set()
  const id = 'instance' in pointed ? pointed.instance : undefined
  const groups =
    'group' in pointed
      ? new Set([pointed.group])
      : new Set(
          uses
            .flatMap(({ instances }) => instances.filter((each) => each.id === id))
            .flatMap(({ antiAffinityGroups }) => antiAffinityGroups.map((group) => group.id)),
        )
  const holds = ({ instances }: SledUse) => instances.some((each) => each.id === id || isIn(groups, each))
  return new Set(uses.filter(holds).map(({ sled }) => sled.id))
}

/** The anti-affinity groups with a running member, in the instances' order: by silo, project and name. */
export function groupsOf(uses: readonly SledUse[]): Group[] {
  const running = uses.flatMap(({ sled, instances }) =>
    instances.flatMap(({ antiAffinityGroups, ...instance }) =>
      antiAffinityGroups.map((group) => ({ ...instance, ...group, instance: instance.id, sled })),
    ),
  )
  const ids = [...new Set(running.map(({ id }) => id))]
  return ids.flatMap((id) => {
    const members = running.filter((each) => each.id === id)
    const [first] = members
    if (!first) return []
    const { name, projectName, siloName } = first
    return {
      id,
      name,
      projectName,
      siloName,
      serials: [...new Set(members.map(({ sled }) => sled.baseboard.serial))],
      members: new Set(members.map(({ instance }) => instance)).size,
    }
  })
}

/** Sleds by rack, the highest slot first, as seen in front of the rack. */
export function racksOf(uses: readonly SledUse[]): { id: string; sleds: SledUse[] }[] {
  const ids = [...new Set(uses.map(({ sled }) => sled.rackId))]
  return ids.map((id) => ({
    id,
    sleds: uses.filter(({ sled }) => sled.rackId === id).toSorted((one, other) => other.cubby - one.cubby),
  }))
}
