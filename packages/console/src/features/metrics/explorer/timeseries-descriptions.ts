import type { OutputOf } from '@gantry/api/client/client'
import { timeseriesTargets } from '@gantry/api/metrics/timeseries.rules'

/** A timeseries as the editor describes it. */
export interface TimeseriesDescription {
  /** As in `virtual_disk:reads`. */
  name: string
  description: string
  units: string
  fields: readonly FieldDescription[]
}

interface FieldDescription {
  name: string
  type: string
  description: string
}

/** The timeseries that a project's queries can read. Only fleet viewers may list the schemas. */
export const projectTimeseries: readonly TimeseriesDescription[] = Object.entries(timeseriesTargets)
  .filter(([, { scope }]) => scope === 'project')
  .flatMap(([target, { fields, metrics }]) =>
    Object.entries(metrics).map(([metric, [, units, description, own = {}]]) => ({
      name: `${target}:${metric}`,
      description,
      units,
      fields: Object.entries({ ...fields, ...own }).map(([name, [type, meaning]]) => ({
        name,
        type,
        description: meaning,
      })),
    })),
  )

type Schema = OutputOf<'systemTimeseriesSchemaList'>['items'][number]

export const timeseriesOf = ({
  timeseriesName,
  description,
  units,
  fieldSchema,
}: Schema): TimeseriesDescription => ({
  name: timeseriesName,
  description: description.metric,
  units,
  fields: fieldSchema.map((field) => ({
    name: field.name,
    type: field.fieldType,
    description: field.description,
  })),
})
