/** Whether a path is a page of signing in, which public/before-paint.js has to know before all other scripts. */
declare function isSignInPath(path: string): boolean
