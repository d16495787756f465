import { implement } from '../../pipeline/implement.ts'
import { createToken, deleteToken, listTokens, viewToken } from './tokens.ts'

export const scimHttp = implement({
  scimTokenList: (cx, { query }) => listTokens(cx, query),
  scimTokenCreate: (cx, { query }) => createToken(cx, query),
  scimTokenView: (cx, { path, query }) => viewToken(cx, { ...query, ...path }),
  scimTokenDelete: (cx, { path, query }) => deleteToken(cx, { ...query, ...path }),
})
