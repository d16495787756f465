import type { TimeseriesSchema } from '@gantry/api/metrics/metric'
import { type FieldSpec, timeseriesTargets } from '@gantry/api/metrics/timeseries.rules'

export type KnownSchema = Omit<TimeseriesSchema, 'created'> & { sampledMs: number }

const fieldsOf = (fields: Readonly<Record<string, FieldSpec>>, source: 'target' | 'metric') =>
  Object.entries(fields).map(([name, [field_type, description]]) => ({
    name,
    field_type,
    source,
    description,
  }))

/** Every schema by name, sorted by name. */
export const catalogue: ReadonlyMap<string, KnownSchema> = new Map(
  Object.entries(timeseriesTargets)
    .flatMap(([target, { scope, description, sampledMs, fields, metrics }]) =>
      Object.entries(metrics).map(([metric, [datum_type, units, meaning, own = {}]]): KnownSchema => ({
        timeseries_name: `${target}:${metric}`,
        version: 1,
        authz_scope: scope,
        datum_type,
        units,
        description: { target: description, metric: meaning },
        field_schema: [...fieldsOf(fields, 'target'), ...fieldsOf(own, 'metric')].sort((one, other) =>
          one.name < other.name ? -1 : 1,
        ),
        sampledMs,
      })),
    )
    .sort((one, other) => (one.timeseries_name < other.timeseries_name ? -1 : 1))
    .map((schema) => [schema.timeseries_name, schema]),
)
