import type { LinkTarget } from '#/kit/links/link-target.ts'

/** Accounts of a project, or without one of the silo. */
export const accountsLink = (project: string | undefined) =>
  (project === undefined
    ? { to: '/service-accounts' }
    : { to: '/projects/$project/service-accounts', params: { project } }) satisfies LinkTarget
export const newAccountLink = (project: string | undefined) =>
  (project === undefined
    ? { to: '/service-accounts-new' }
    : { to: '/projects/$project/service-accounts-new', params: { project } }) satisfies LinkTarget
export const accountLink = (project: string | undefined, account: string) =>
  (project === undefined
    ? { to: '/service-accounts/$account', params: { account } }
    : {
        to: '/projects/$project/service-accounts/$account',
        params: { project, account },
      }) satisfies LinkTarget
export const editAccountLink = (project: string | undefined, account: string) =>
  (project === undefined
    ? { to: '/service-accounts/$account/edit', params: { account } }
    : {
        to: '/projects/$project/service-accounts/$account/edit',
        params: { project, account },
      }) satisfies LinkTarget
export const newAccountTokenLink = (project: string | undefined, account: string) =>
  (project === undefined
    ? { to: '/service-accounts/$account/tokens-new', params: { account } }
    : {
        to: '/projects/$project/service-accounts/$account/tokens-new',
        params: { project, account },
      }) satisfies LinkTarget
