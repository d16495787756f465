/** Kinds with pages of their own, which users can keep at hand. */
export const favouriteKinds = [
  'project',
  'instance',
  'disk',
  'snapshot',
  'instance-snapshot',
  'image',
  'floating-ip',
  'external-subnet',
  'vpc',
] as const
export type FavouriteKind = (typeof favouriteKinds)[number]

/** Favourites of one user. */
export const maxFavourites = 50
