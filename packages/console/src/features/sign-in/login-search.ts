export interface LoginSearch {
  /** The path to return to; checked where it is used. */
  redirect_uri?: string
}

export const loginSearch = ({ redirect_uri }: Record<string, unknown>): LoginSearch =>
  typeof redirect_uri === 'string' ? { redirect_uri } : {}

interface SiloSearch extends LoginSearch {
  /** The silo to sign in to; empty where one is to be asked for, absent where it is to be found. */
  silo?: string
}

export const siloSearch = ({ silo, ...search }: Record<string, unknown>): SiloSearch => ({
  ...loginSearch(search),
  // A name such as `true` comes as a word of JSON.
  ...(silo !== undefined && { silo: typeof silo === 'string' ? silo : JSON.stringify(silo) }),
})

interface SamlSearch extends LoginSearch {
  /** The status with which the server refused the last attempt (`refusalPage` of the control plane). */
  refused?: number
}

export const samlSearch = ({ refused, ...search }: Record<string, unknown>): SamlSearch => ({
  ...loginSearch(search),
  ...(typeof refused === 'number' && { refused }),
})
