import { keySource } from '@gantry/api/tags/tag.rules'

/** Lower-case letters and digits, in words joined by single underscores. */
export const identifier = /[a-z][a-z0-9]*(?:_[a-z0-9]+)*/y

/** What comes before the key of a tag: a tag of the object that the samples are of is a field. */
export const tagPrefix = 'tag.'

/** A field of a timeseries, or a tag. */
export const fieldName = new RegExp(`tag\\.${keySource}|${identifier.source}`, 'y')
