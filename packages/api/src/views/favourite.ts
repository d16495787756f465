import { z } from 'zod'
import { del, family, get, put } from '../op.ts'
import { named, Timestamp, Uuid } from '../schema.ts'
import { favouriteKinds } from './favourite.rules.ts'

const FavouriteKind = named('FavouriteKind', z.enum(favouriteKinds))

const Favourite = named(
  'Favourite',
  z.object({
    kind: FavouriteKind,
    /** Of the object. */
    id: Uuid,
    name: z.string(),
    /** Null for a project, and for an image of the silo. */
    project_name: z.string().nullable(),
    /** When it became one. */
    time_created: Timestamp,
  }),
)
export type Favourite = z.infer<typeof Favourite>

const path = z.object({ object_id: Uuid })

export const favouriteOps = family('extensions', ['favourite'], {
  favouriteList: get('/ext/v1/favourites', {
    summary: 'List your favourites, the latest first, of the objects that you may see',
    returns: named('Favourites', z.object({ items: z.array(Favourite) })),
  }),
  favouriteAdd: put('/ext/v1/favourites/{object_id}', {
    summary: 'Make an object one of your favourites',
    path,
    query: z.object({ kind: FavouriteKind }),
    returns: Favourite,
  }),
  favouriteRemove: del('/ext/v1/favourites/{object_id}', {
    summary: 'Take an object off your favourites',
    path,
  }),
})
