import { implement } from '../../pipeline/implement.ts'
import { createAccount, deleteAccount, listAccounts, updateAccount, viewAccount } from './accounts.ts'
import { createAccountToken, deleteAccountToken, listAccountTokens, rotateAccountToken } from './tokens.ts'

export const serviceAccountsHttp = implement({
  serviceAccountList: (cx, { query }) => listAccounts(cx, query),
  serviceAccountCreate: (cx, { query, body }) => createAccount(cx, query, body),
  serviceAccountView: (cx, { path, query }) => viewAccount(cx, { ...path, ...query }),
  serviceAccountUpdate: (cx, { path, query, body }) => updateAccount(cx, { ...path, ...query }, body),
  serviceAccountDelete: (cx, { path, query }) => deleteAccount(cx, { ...path, ...query }),
  serviceAccountTokenList: (cx, { path, query }) => listAccountTokens(cx, { ...path, ...query }),
  serviceAccountTokenCreate: (cx, { path, query, body }) =>
    createAccountToken(cx, { ...path, ...query }, body),
  serviceAccountTokenRotate: (cx, { path, query, body }) =>
    rotateAccountToken(cx, { ...path, ...query }, body),
  serviceAccountTokenDelete: (cx, { path, query }) => deleteAccountToken(cx, { ...path, ...query }),
})
