export interface LoginSearch {
  /** The path to return to; checked where it is used. */
  redirect_uri?: string
}

export const loginSearch = ({ redirect_uri }: Record<string, unknown>): LoginSearch =>
  typeof redirect_uri === 'string' ? { redirect_uri } : {}
