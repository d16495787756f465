import type { Client } from '../fleet.ts'

const GiB = 1024 ** 3
const machines = 60

/** Enough for lists to have a whole page. */
export async function furnish(client: Client): Promise<void> {
  for (let index = 0; index < machines; index++)
    await client.send('POST', '/v1/instances?project=playground', machine(`here-${index}`))
}

const machine = (name: string) => ({
  name,
  description: '',
  hostname: name,
  ncpus: 1,
  memory: GiB,
  start: false,
})

/** Newest first since a number of days ago, as the audit log's page asks. */
const records = (days: number, filter = ''): string =>
  `/ext/v1/system/audit-log?limit=50&sort_by=time_and_id_descending${filter}` +
  `&start_time=${new Date(Date.now() - days * 86_400_000).toISOString()}`

/** The list with which the account of activity is compared. */
export const listed = 'instances, first page'

/** The most used calls, and those that read changes and records. */
export const calls: Readonly<Record<string, (client: Client, round: number) => Promise<unknown>>> = {
  'who am I': (client) => client.send('GET', '/v1/me'),
  projects: (client) => client.send('GET', '/v1/projects?limit=50'),
  [listed]: (client) => client.send('GET', '/v1/instances?project=playground&limit=50'),
  instance: (client, round) =>
    client.send('GET', `/v1/instances/here-${round % machines}?project=playground`),
  'audit log, newest': (client) => client.send('GET', records(7)),
  'audit log, failures of a year': (client) => client.send('GET', records(365, '&result=error')),
  'audit log, one operation': (client) => client.send('GET', records(365, '&operation=disk_create')),
  'audit log, one object': (client, round) =>
    client.send('GET', records(365, `&object=here-${round % machines}`)),
  'activity of a project': (client) => client.send('GET', '/ext/v1/activity?project=playground&limit=50'),
  'activity of a silo': (client) => client.send('GET', '/ext/v1/activity?limit=50'),
  'activity of a person': (client) => client.send('GET', '/ext/v1/activity?mine=true&limit=50'),
  'activity, refused': (client) =>
    client.send('GET', '/ext/v1/activity?project=playground&outcome=refused&limit=50'),
  'activity, found by name': (client, round) =>
    client.send('GET', `/ext/v1/activity?project=playground&search=here-${round % machines}&limit=50`),
  'activity, searched in vain': (client) =>
    client.send('GET', '/ext/v1/activity?project=playground&kind=vpc-router&limit=50'),
  'instances at a moment': (client) =>
    client.send(
      'GET',
      `/ext/v1/past?project=playground&kind=instance&limit=50&at=${new Date(Date.now() - 1000).toISOString()}`,
    ),
  'create an instance': (client) => {
    created += 1
    return client.send('POST', '/v1/instances?project=playground', machine(`new-${created}`))
  },
}
let created = 0
