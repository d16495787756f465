import type { Api } from './scenes.ts'

/**
 * Paths of screens contain placeholders for values that differ between servers: `:project`, `:sled`,
 * `:invited`.
 */
export type Fill = (path: string) => string

interface SledUses {
  items: { sled: { id: string; baseboard: { serial: string } } }[]
}
interface Named {
  items: { id: string; display_name: string }[]
}

const records = async (api: Api) => {
  const path = '/ext/v1/audit-log?start_time=2020-01-01T00:00:00Z&sort_by=time_and_id_descending&limit=1'
  return ((await api('admin', 'GET', path)) as { items: { id: string }[] }).items
}

/** The first support bundle, created if there is none. */
async function bundle(api: Api): Promise<{ id: string }> {
  const path = '/experimental/v1/system/support-bundles'
  const [known] = ((await api('admin', 'GET', path)) as { items: { id: string }[] }).items
  return (
    known ?? ((await api('admin', 'POST', path, { user_comment: 'slow disks on Monday' })) as { id: string })
  )
}

/** A saved plan of the project. */
const plan = async (api: Api, project: string): Promise<{ id: string }> =>
  (await api('member', 'POST', '/ext/v1/saved-plans', {
    method: 'PUT',
    path: `/v1/vpc-firewall-rules?project=${project}&vpc=default`,
    body: '{"rules":[]}',
    note: 'closes everything for the move',
  })) as { id: string }

/**
 * The values of the placeholders: a sled with instances, a drained and a lost one, users of two silos,
 * an audit record, a saved plan, and a support bundle.
 */
export async function placeholdersIn(api: Api, project: string): Promise<Fill> {
  const sleds = ((await api('admin', 'GET', '/ext/v1/system/sleds')) as SledUses).items
  const sled = (serial: string) => sleds.find((each) => each.sled.baseboard.serial === serial)?.sled.id
  const idIn = async (path: string, name: string) =>
    ((await api('admin', 'GET', path)) as Named).items.find((each) => each.display_name === name)?.id
  const values: Record<string, string | undefined> = {
    project,
    sled: sled('GS-001'),
    drained: sled('GS-009'),
    lost: sled('GS-010'),
    invited: await idIn('/v1/system/users?silo=lagoon&limit=100', 'tomas'),
    user: await idIn('/v1/users?limit=100', 'viewer'),
    group: await idIn('/v1/groups?limit=100', 'engineers'),
    record: (await records(api))[0]?.id,
    bundle: (await bundle(api)).id,
    plan: (await plan(api, project)).id,
  }
  return (path) =>
    path.replaceAll(/:([a-z]+)(?=\/|\?|$)/g, (word, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`there is no ${word} for ${path}`)
      return value
    })
}
