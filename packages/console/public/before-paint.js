try {
  var theme = localStorage.getItem('gantry-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {}

// Pages of signing in have no console frame, and an application of their own (src/main.tsx asks this too).
function isSignInPath(path) {
  return /^\/(login|device)(\/|$)/.test(path)
}
var isSignIn = isSignInPath(location.pathname)
if (isSignIn) document.documentElement.dataset.bare = ''

// What the application consists of, fetched before the main script asks for it (build/preloads.ts).
var { signIn, console: signedIn } = document.currentScript.dataset
for (var href of ((isSignIn ? signIn : signedIn) || '').split(' ').filter(Boolean)) {
  var link = document.createElement('link')
  link.rel = 'modulepreload'
  link.crossOrigin = ''
  link.href = href
  document.head.append(link)
}
