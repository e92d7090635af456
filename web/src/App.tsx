// The frame of every page: header, what the address asks for, notices.

import { useEffect } from "preact/hooks";
import { DEFS } from "./board/draw";
import { t, words } from "./i18n";
import { kept, lostAt, me, proving, shut } from "./net";
import { Archive } from "./pages/Archive";
import { Best } from "./pages/Best";
import { Front } from "./pages/Front";
import { Learn } from "./pages/Learn";
import { Lobby } from "./pages/Lobby";
import { Lost } from "./pages/Lost";
import { Person } from "./pages/Person";
import { Replay } from "./pages/Replay";
import { Room } from "./pages/Room";
import { Shut } from "./pages/Shut";
import { Watch } from "./pages/Watch";
import { Header } from "./parts/Header";
import { Invitations } from "./parts/Invitations";
import { Notices } from "./parts/Notices";
import { PersonDialog } from "./parts/PersonActs";
import { ReportDialog } from "./parts/ReportDialog";
import { fetched } from "./parts/fetched";
import { route } from "./route";
import { games, tell } from "./store";

const Login = fetched((apart) => apart.Login);
const Password = fetched((apart) => apart.Password);
const Token = fetched((apart) => apart.Token);
const SecondStep = fetched((apart) => apart.SecondStep);
const Prove = fetched((apart) => apart.Prove);
const Me = fetched((apart) => apart.Me);
const Operator = fetched((apart) => apart.Operator);

export function App() {
  const here = route.value;
  const ready = words.value !== null && me.value !== null && games.value !== null;
  useEffect(() => { document.body.dataset.page = here.page; }, [here.page]);
  useEffect(() => { document.body.toggleAttribute("data-away", lostAt.value !== null); }, [lostAt.value !== null]);
  useEffect(() => { if (kept.value && here.page !== "room") tell(t("notice.waits")); }, [kept.value]); // in a room the line at the board says so
  return (
    <>
      <svg class="defs" width="0" height="0" aria-hidden="true" dangerouslySetInnerHTML={{ __html: DEFS }} />
      <Header />
      {shut.value ? <Shut refusal={shut.value} /> : ready ? <Page /> : <main class="page" aria-busy="true"><div class="skeleton-board" /></main>}
      <Invitations />
      <PersonDialog />
      <ReportDialog />
      {proving.value && <Prove done={proving.value.done} />}
      <Notices />
    </>
  );
}

function Page() {
  const here = route.value;
  switch (here.page) {
    case "front": return <Front />;
    case "lobby": return <Lobby />;
    case "watch": return <Watch />;
    case "room": return <Room key={here.id} id={here.id} />;
    case "replay": return <Replay key={here.id} id={here.id} />;
    case "learn": return <Learn game={here.game} />;
    case "archive": return <Archive game={here.game} />;
    case "best": return <Best game={here.game} />;
    case "person": return <Person key={here.id} id={here.id} />;
    case "login": return <Login />;
    case "password": return <Password />;
    case "token": return <Token />;
    case "second": return <SecondStep />;
    case "me": return <Me />;
    case "operator": return <Operator part={here.part} />;
    case "lost": return <Lost />;
  }
}
