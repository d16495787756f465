import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { isAbsent } from '#/data/extensions.ts'
import { opQuery } from '#/data/queries.ts'

export type Favourite = OutputOf<'favouriteList'>['items'][number]

export const hasFavourites = (): boolean => !isAbsent(op.favouriteList)

/** The stream tells of other objects' names only where they are shown, so each place that shows some reads them anew. */
export const favourites = { ...opQuery(op.favouriteList, {}), enabled: hasFavourites, retry: false }
