import { personView } from '../people/people.ts'
import { need } from '../../lookup/need.ts'
import { implement } from '../../pipeline/implement.ts'
import { updateAuthSettings, viewAuthSettings } from './auth-settings.ts'
import {
  deleteOwnToken,
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  listOwnTokens,
  listSessions,
  listTokens,
  logOutUser,
} from './sessions/credentials.ts'
import { beginDevice, confirmDevice, denyDevice, fetchDeviceToken } from './device/device.ts'
import { loginNewPassword } from './password/first-password.ts'
import { loginLocal, logout } from './password/local.ts'
import { createToken, deleteAllTokens, listMadeTokens } from './device/made-tokens.ts'
import { createLocalUser, deleteLocalUser, setLocalPassword } from './password/local-users.ts'
import { listLoginSilos, viewLoginMethods } from './login-page.ts'
import { inviteUser, resetPassword } from './password/one-time-password.ts'
import { changeOwnPassword, viewOwnPassword } from './password/own-password.ts'
import { acsOrigin } from './saml/acs-origin.ts'
import { updateProvider } from './saml/change-provider.ts'
import { deleteProvider, viewDependents } from './saml/delete-provider.ts'
import { checkMetadata } from './saml/metadata-check.ts'
import { createProvider, listProviders, samlProviderView } from './saml/providers.ts'
import { beginSaml, finishSaml } from './saml/sign-in.ts'
import { beginTest } from './saml/sign-in-test.ts'
import { viewTest } from './saml/sign-in-test-view.ts'
import { endUserSessions, listSiloPeople } from '../people/silo-people.ts'

export const signInHttp = implement({
  loginLocal: (cx, { path, body }) => loginLocal(cx, path.silo_name, body),
  loginSaml: (cx, { path }) => finishSaml(cx, path),
  loginSamlBegin: (cx, { path, query }) => beginSaml(cx, path, query.redirect_uri),
  loginSiloList: listLoginSilos,
  loginMethodView: (cx, { path }) => viewLoginMethods(cx, path.silo_name),
  loginNewPassword: (cx, { path, body }) => loginNewPassword(cx, path.silo_name, body.password),
  logout,
  deviceAuthRequest: (cx, { body }) => beginDevice(cx, body),
  deviceAuthConfirm: (cx, { body }) => confirmDevice(cx, body.user_code),
  deviceAuthDeny: (cx, { body }) => denyDevice(cx, body.user_code),
  deviceAccessToken: (cx, { body }) => fetchDeviceToken(cx, body),
  currentUserAccessTokenList: (cx, { query }) => listOwnTokens(cx, query),
  accessTokenList: listMadeTokens,
  accessTokenCreate: createToken,
  accessTokenDeleteAll: deleteAllTokens,
  currentUserAccessTokenDelete: (cx, { path }) => deleteOwnToken(cx, path.token_id),
  currentUserSessionList: (cx, { query }) => listOwnSessions(cx, query),
  currentUserSessionDelete: (cx, { path }) => endOwnSession(cx, path.session_id),
  currentUserSessionDeleteOthers: endOtherSessions,
  currentUserPasswordView: viewOwnPassword,
  currentUserPasswordChange: (cx, { body }) => changeOwnPassword(cx, body),
  userTokenList: (cx, { path, query }) => listTokens(cx, path.user_id, query),
  userSessionList: (cx, { path, query }) => listSessions(cx, path.user_id, query),
  userLogout: (cx, { path }) => logOutUser(cx, path.user_id),
  authSettingsView: viewAuthSettings,
  authSettingsUpdate: (cx, { body }) => updateAuthSettings(cx, body),
  siloIdentityProviderList: (cx, { query }) => listProviders(cx, query),
  samlIdentityProviderCreate: async (cx, { query, body }) =>
    samlProviderView(await createProvider(cx, query.silo, body)),
  samlIdentityProviderView: async (cx, { path, query }) =>
    samlProviderView((await need(cx, 'saml_identity_provider', { ...query, ...path }, 'read')).row),
  localIdpUserCreate: async (cx, { query, body }) => personView(await createLocalUser(cx, query.silo, body)),
  localIdpUserDelete: (cx, { path, query }) => deleteLocalUser(cx, query.silo, path.user_id),
  localIdpUserSetPassword: (cx, { path, query, body }) =>
    setLocalPassword(cx, query.silo, path.user_id, body),
  siloPersonList: (cx, { path, query }) => listSiloPeople(cx, path, query),
  siloUserInvite: (cx, { path, body }) => inviteUser(cx, path.silo, body.external_id),
  userPasswordReset: (cx, { path, query }) => resetPassword(cx, query.silo, path.user_id),
  userSessionsEnd: (cx, { path, query }) => endUserSessions(cx, query.silo, path.user_id),
  samlMetadataCheck: (cx, { query, body }) => checkMetadata(cx, query.silo, body),
  samlSignInTestBegin: (cx, { path, query, body }) => beginTest(cx, { ...query, ...path }, body.redirect_uri),
  samlProviderUpdate: (cx, { path, query, body }) => updateProvider(cx, { ...query, ...path }, body),
  samlProviderDelete: (cx, { path, query }) => deleteProvider(cx, { ...query, ...path }),
  samlProviderDependentsView: (cx, { path, query }) => viewDependents(cx, { ...query, ...path }),
  samlAcsOriginView: (cx, { query }) => acsOrigin(cx, query.silo),
  samlSignInTestView: (cx, { path }) => viewTest(cx, path.test_id),
})
