import type { InstanceCreate } from '@gantry/api/compute/instance'
import type { TemplateDiskSource, TemplateSettings } from '@gantry/api/compute/instance-template'
import type { DiskBackend } from '@gantry/api/storage/disk'

/** What templates and snapshots of instances keep in their own shapes, as the request that creates an instance has it. */

type Stored<Field extends keyof TemplateSettings> = NonNullable<TemplateSettings[Field]>

export function backendOf(source: TemplateDiskSource): DiskBackend {
  if (source.type === 'local') return source
  return {
    type: 'distributed',
    disk_source: source.type === 'blank' ? source : { ...source, read_only: source.read_only ?? false },
  }
}

/** In the shape of a template, so that the two can be compared. */
export function sourceOf(backend: DiskBackend): unknown {
  if (backend.type === 'local') return backend
  const { disk_source: source } = backend
  if (!('read_only' in source)) return source
  const { read_only, ...rest } = source
  return read_only ? source : rest
}

export const addressOf = ({
  type,
  pool,
}: Stored<'external_ips'>[number]): InstanceCreate['external_ips'][number] => ({
  type,
  // Where nothing is said: a silo may have a default pool of each IP version.
  pool_selector: typeof pool === 'string' ? { type: 'explicit', pool } : { type: 'auto', ip_version: 'v4' },
})
