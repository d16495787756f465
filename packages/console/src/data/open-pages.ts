/** Whether a page is there without a session: the documentation, which shows no object of any user. */
export const isOpenPage = (path: string): boolean => /^\/docs(?:\/|$)/.test(path)
