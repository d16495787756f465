import { type Json, refTo } from '../reference-document.ts'

const oneOf = (...variants: Json[]): Json => ({ oneOf: variants })
const ref = (component: string): Json => ({ $ref: refTo(component) })
const variant = (
  type: string,
  properties: Json = {},
  required: readonly string[] = Object.keys(properties),
) => ({
  type: 'object',
  properties: { type: { type: 'string', enum: [type] }, ...properties },
  required: [...required, 'type'].sort(),
})

const version = { type: 'string', enum: ['v4', 'v6'] }
/** Components that the later edition adds. */
export const laterComponents: Json = {
  DiskBackend: oneOf(variant('local'), variant('distributed', { disk_source: ref('DiskSource') })),
  PoolSelector: oneOf(
    variant('explicit', { pool: ref('NameOrId') }),
    variant('auto', { ip_version: { ...version, nullable: true } }, []),
  ),
  AddressAllocator: oneOf(
    variant('explicit', { ip: { type: 'string', format: 'ip' } }),
    variant('auto', { pool_selector: ref('PoolSelector') }, []),
  ),
}

interface Shape {
  properties: Json
  required: string[]
}

/** The components of requests that have another shape in the later edition. */
export function laterRequests(schemas: Json): Json {
  const attachment = schemas['InstanceDiskAttachment'] as { oneOf: Shape[] }
  const interfaces = schemas['InstanceNetworkInterfaceAttachment'] as { oneOf: Shape[] }
  const external = schemas['ExternalIpCreate'] as { oneOf: Shape[] }
  const isDefault = ({ properties }: Shape): boolean =>
    (properties['type'] as { enum: string[] }).enum.includes('default')
  return {
    DiskCreate: renamed(schemas['DiskCreate'] as Shape, 'disk_source', 'disk_backend', ref('DiskBackend')),
    InstanceDiskAttachment: oneOf(
      ...attachment.oneOf.map((one) => ({
        ...one,
        ...renamed(one, 'disk_source', 'disk_backend', ref('DiskBackend')),
      })),
    ),
    InstanceNetworkInterfaceAttachment: oneOf(
      ...interfaces.oneOf.filter((one) => !isDefault(one)).map((one) => ({ ...one })),
      ...['default_ipv4', 'default_ipv6', 'default_dual_stack'].map((type) => variant(type)),
    ),
    FloatingIpCreate: withAllocator(schemas['FloatingIpCreate'] as Shape),
    EphemeralIpCreate: renamed(
      schemas['EphemeralIpCreate'] as Shape,
      'pool',
      'pool_selector',
      ref('PoolSelector'),
    ),
    ExternalIpCreate: oneOf(
      ...external.oneOf.map((one) => ({
        ...one,
        ...renamed(one, 'pool', 'pool_selector', ref('PoolSelector')),
      })),
    ),
  }
}

function withAllocator(floating: Shape): Json {
  const { ip: _ip, ...properties } = floating.properties
  return renamed({ ...floating, properties }, 'pool', 'address_allocator', ref('AddressAllocator'))
}

/** The component with one property in place of another, if it has that one. */
function renamed(shape: Shape, from: string, to: string, property: Json): Json {
  const { [from]: before, ...properties } = shape.properties
  if (before === undefined) return { ...shape }
  const required = (shape.required ?? []).map((key) => (key === from ? to : key)).sort()
  return { ...shape, properties: { ...properties, [to]: property }, required }
}
