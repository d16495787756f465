import { z } from 'zod'
import { named, Timestamp } from '../schema.ts'

/*
 * A sample of any type. The plain endpoints answer with `i64` only; the rest is part of the schema that clients
 * are generated from.
 */

export const Int64 = z.number().int().meta({ format: 'int64' })
export const Count = z.number().int().nonnegative().meta({ format: 'uint64' })
const Float = z.number().meta({ format: 'float' })
const Double = z.number().meta({ format: 'double' })
const integer = (format: string) => z.number().int().meta({ format })
const natural = (format: string) => z.number().int().nonnegative().meta({ format })

const datumTypes = [
  'bool',
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'i64',
  'u64',
  'f32',
  'f64',
  'string',
  'bytes',
  'cumulative_i64',
  'cumulative_u64',
  'cumulative_f32',
  'cumulative_f64',
  'histogram_i8',
  'histogram_u8',
  'histogram_i16',
  'histogram_u16',
  'histogram_i32',
  'histogram_u32',
  'histogram_i64',
  'histogram_u64',
  'histogram_f32',
  'histogram_f64',
] as const
export const DatumType = named('DatumType', z.enum(datumTypes))

const fiveOf = (item: z.ZodNumber) => z.array(item).length(5)
/** An estimated quantile with the five markers that it is estimated by. */
const Quantile = named(
  'Quantile',
  z.object({
    p: z.number(),
    marker_heights: fiveOf(z.number()),
    marker_positions: fiveOf(Count),
    desired_marker_positions: fiveOf(z.number()),
  }),
)

const of = <Type extends string, Value extends z.ZodType>(type: Type, datum: Value) =>
  z.object({ type: z.literal(type), datum })

/** A total, and since when it has been counted. */
const cumulative = <Type extends string>(type: Type, word: string, value: z.ZodNumber) =>
  of(type, named(`Cumulative${word}`, z.object({ start_time: Timestamp, value })))

const histogram = <Type extends string>(
  type: Type,
  word: string,
  value: z.ZodNumber,
  sum_of_samples: z.ZodNumber = Int64,
) => {
  const range = z.discriminatedUnion('type', [
    z.object({ type: z.literal('range_to'), end: value }),
    z.object({ type: z.literal('range'), start: value, end: value }),
    z.object({ type: z.literal('range_from'), start: value }),
  ])
  const bin = z.object({ range: named(`BinRange${word}`, range), count: Count })
  const shape = {
    start_time: Timestamp,
    bins: z.array(named(`Bin${word}`, bin)),
    n_samples: Count,
    min: value,
    max: value,
    sum_of_samples,
    squared_mean: z.number(),
    p50: Quantile,
    p90: Quantile,
    p99: Quantile,
  }
  return of(type, named(`Histogram${word}`, z.object(shape)))
}

const Missing = named('MissingDatum', z.object({ datum_type: DatumType, start_time: Timestamp.nullish() }))

export const Datum = named(
  'Datum',
  z.discriminatedUnion('type', [
    of('bool', z.boolean()),
    of('i8', integer('int8')),
    of('u8', natural('uint8')),
    of('i16', integer('int16')),
    of('u16', natural('uint16')),
    of('i32', integer('int32')),
    of('u32', natural('uint32')),
    of('i64', Int64),
    of('u64', Count),
    of('f32', Float),
    of('f64', Double),
    of('string', z.string()),
    of('bytes', z.array(natural('uint8'))),
    cumulative('cumulative_i64', 'int64', Int64),
    cumulative('cumulative_u64', 'uint64', Count),
    cumulative('cumulative_f32', 'float', Float),
    cumulative('cumulative_f64', 'double', Double),
    histogram('histogram_i8', 'int8', integer('int8')),
    histogram('histogram_u8', 'uint8', natural('uint8')),
    histogram('histogram_i16', 'int16', integer('int16')),
    histogram('histogram_u16', 'uint16', natural('uint16')),
    histogram('histogram_i32', 'int32', integer('int32')),
    histogram('histogram_u32', 'uint32', natural('uint32')),
    histogram('histogram_i64', 'int64', Int64),
    histogram('histogram_u64', 'uint64', Count),
    histogram('histogram_f32', 'float', Float, z.number()),
    histogram('histogram_f64', 'double', Double, z.number()),
    of('missing', Missing),
  ]),
)
