import { GiB, MiB } from '@gantry/api/base/bytes.rules'
import type { Caller } from '@gantry/control-plane/testing/control-plane'
import type { Chance } from './chance.ts'

export const named = (name: string) => ({ name, description: '' })

/** Fails unless a call needed by the scene succeeds. */
export async function must(answering: ReturnType<Caller['post']>) {
  const { status, body } = await answering
  if (status >= 300) throw new Error(`the scene was refused: ${status} ${JSON.stringify(body)}`)
  return body
}

/**
 * Creates a project with one of everything, in each state that an operation needs; returns the project's id.
 */
export async function furnishProject(owner: Caller, chance: Chance): Promise<string> {
  const fresh = (kind: string) => named(`${kind}-${chance.word()}`)
  const project = await must(owner.post('/v1/projects', fresh('project')))
  const within = `project=${project.id as string}`
  const make = (path: string, body: object = {}, more = '') =>
    must(owner.post(`${path}?${within}${more}`, body))
  const act = (path: string, more = '') => must(owner.post(`${path}?${within}${more}`))
  const blank = { type: 'blank', block_size: 512 }
  const importing = { type: 'importing_blocks', block_size: 512 }
  const disk = (disk_source: object = blank) =>
    make('/v1/disks', { ...fresh('disk'), size: GiB, disk_source })

  const held = await disk()
  const [{ name: loose }] = await Promise.all([disk(), disk()])
  await disk(importing)
  for (const isWritten of [false, true]) {
    const { name } = await disk(importing)
    await act(`/v1/disks/${name}/bulk-write-start`)
    if (isWritten) await act(`/v1/disks/${name}/bulk-write-stop`)
  }
  const snapshot = await make('/v1/snapshots', { ...fresh('snapshot'), disk: loose })
  await make('/v1/snapshots', { ...fresh('snapshot'), disk: loose })
  const image = () =>
    make('/v1/images', {
      ...fresh('image'),
      os: 'Linux',
      version: '1',
      source: { type: 'snapshot', id: snapshot.id },
    })
  await image()
  await act(`/v1/images/${(await image()).name}/promote`)
  const query = 'get virtual_machine:vcpu_usage | filter timestamp > @now() - 5m | last 1'
  const threshold = { comparison: 'above', value: 1, for_seconds: 0 }
  await make('/ext/v1/metric-queries', { ...fresh('query'), query, threshold })
  await make('/ext/v1/metric-queries', { ...fresh('query'), query })
  const { name } = fresh('view')
  await make('/ext/v1/shared-views', { name, list: 'instances', filter: '', sort: '', columns: [] })
  const hardware = { ncpus: 1, memory: GiB }
  for (const settings of [
    { hardware, start: false },
    { hardware, external_ips: [{ type: 'ephemeral' }] },
  ])
    await make('/ext/v1/instance-templates', { ...fresh('template'), settings, fixed: ['hardware'] })
  for (const action of ['stop', 'snapshot_disk', 'snapshot_instance']) {
    const timing = { type: 'daily', at: '03:00' }
    await make('/ext/v1/schedules', {
      ...fresh('schedule'),
      action,
      filter: 'name:x',
      timing,
      timezone: 'UTC',
    })
  }
  const account = await make('/ext/v1/service-accounts', { ...fresh('account'), role_name: 'viewer' })
  const token = { name: 'nightly', ttl_seconds: 3600, powers: ['read'] }
  await must(owner.post(`/ext/v1/service-accounts/${account.id}/access-tokens`, token))
  const upload = { os: '', version: '', block_size: 512, size: MiB }
  await make('/ext/v1/image-uploads', { ...fresh('upload'), ...upload })
  const full = await make('/ext/v1/image-uploads', { ...fresh('upload'), ...upload })
  await must(
    owner.post(`/ext/v1/image-uploads/${full.id}/zeros`, { ranges: [{ offset: 0, length: upload.size }] }),
  )

  const machine = (more: object) => {
    const about = fresh('vm')
    return make('/v1/instances', {
      ...about,
      hostname: about.name,
      ncpus: 1,
      memory: GiB,
      start: false,
      ...more,
    })
  }
  const still = await machine({
    disks: [{ type: 'attach', name: held.name }],
    external_ips: [{ type: 'ephemeral' }],
  })
  await make('/ext/v1/instance-snapshots', { ...fresh('whole'), instance: still.name })
  await make('/ext/v1/instance-snapshots', { ...fresh('whole'), instance: still.name })
  for (let n = 0; n < 3; n++)
    await make('/ext/v1/instance-backups', { ...fresh('backup'), instance: still.name })
  const boot = { ...fresh('disk'), type: 'create', size: GiB, disk_source: blank }
  await machine({ start: true, boot_disk: boot })
  await machine({})
  await machine({ network_interfaces: { type: 'none' } })
  for (const group of ['affinity-groups', 'anti-affinity-groups']) {
    const { name } = await make(`/v1/${group}`, {
      ...fresh('group'),
      policy: 'allow',
      failure_domain: 'sled',
    })
    await act(`/v1/${group}/${name}/members/instance/${still.name}`)
    await make(`/v1/${group}`, { ...fresh('group'), policy: 'allow', failure_domain: 'sled' })
  }
  await make('/v1/floating-ips', fresh('address'))
  const { name: bound } = await make('/v1/floating-ips', fresh('address'))
  await make(`/v1/floating-ips/${bound}/attach`, { kind: 'instance', parent: still.name })

  const block = () => ({ ...fresh('block'), allocator: { type: 'auto', prefix_length: 29 } })
  await make('/v1/external-subnets', block())
  const { name: routed } = await make('/v1/external-subnets', block())
  await make(`/v1/external-subnets/${routed}/attach`, { instance: still.name })

  const vpc = (await make('/v1/vpcs', { ...fresh('vpc'), dns_name: 'net' })).name as string
  const inVpc = `&vpc=${vpc}`
  await make('/v1/vpc-subnets', { ...fresh('subnet'), ipv4_block: '172.30.64.0/22' }, inVpc)
  const router = (await make('/v1/vpc-routers', fresh('router'), inVpc)).name as string
  const ends = { destination: { type: 'ip', value: '10.0.0.1' }, target: { type: 'drop' } }
  await make('/v1/vpc-router-routes', { ...fresh('route'), ...ends }, `${inVpc}&router=${router}`)
  await make('/v1/internet-gateways', fresh('gateway'), inVpc)
  const gateway = (await make('/v1/internet-gateways', fresh('gateway'), inVpc)).name as string
  const inGateway = `${inVpc}&gateway=${gateway}`
  const pool = (await owner.get('/v1/ip-pools')).body.items[0].id as string
  await make('/v1/internet-gateway-ip-pools', { ...fresh('out'), ip_pool: pool }, inGateway)
  await make('/v1/internet-gateway-ip-addresses', { ...fresh('out'), address: '10.9.9.9' }, inGateway)
  const { name: bare } = await make('/v1/vpcs', { ...fresh('vpc'), dns_name: 'bare' })
  await must(owner.call('DELETE', `/v1/vpc-subnets/default?${within}&vpc=${bare}`))
  await must(owner.call('PUT', `/v1/vpc-routers/${router}?${within}${inVpc}`, { description: 'changed' }))
  // Into the recycle bin.
  const gone = [
    `/v1/disks/${(await disk()).name}`,
    `/v1/instances/${(await machine({})).name}`,
    `/v1/floating-ips/${(await make('/v1/floating-ips', fresh('address'))).name}`,
  ]
  for (const path of gone) await must(owner.call('DELETE', `${path}?${within}`))
  await make('/ext/v1/instance-actions', { action: 'stop', instances: [still.name] })
  return project.id as string
}
