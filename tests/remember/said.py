"""Sentences that people say at work: those with something to keep, those that only look like it, and plain ones."""

# Language, signal -> at least one sentence for each of its patterns.
YES = {
    ("en", "explicit"): """
Remember that staging listens on port 5433.
Please remember: the demo account is demo@example.com.
Don't forget that the bank closes transfers at 16:00.
Note that the API is versioned by header.
Make a note that invoices are numbered per year.
Keep in mind the crane team has no wifi.
For future reference, the depot code is HAM-4.
Save this to memory: the build needs JDK 21.
Save this: the proxy is on port 3128.
Save that the backup runs at three in the morning.
Write this down: the printer wants PCL drivers.
Memorize the order of the three steps: stop, copy, start.
Can you remember that I work from Lisbon?
Also, you should remember that Ana owns the billing service.
""",
    ("en", "rule"): """
From now on use pnpm in this repository.
From now on pnpm.
Starting today, reviews need two approvals.
Going forward, name branches after the ticket.
Henceforth all dates are in UTC.
In future, ask before you delete a table.
always run make lint before commits
No, always use the long option names.
You should always sign the release tags.
Never push to main on a Friday.
Don't ever rewrite the public history.
We squash commits as a rule.
Our rule is one migration per release.
Secrets must never be logged.
Can you always run the formatter before you answer?
From now on answer in German, ok?
""",
    ("en", "milestone"): """
We shipped the new booking flow.
I just merged the payments branch.
Finally released 2.0 to everyone.
v1.2 is out.
Version 3 is live now.
PR #12 is merged.
The migration is finally done.
The new site went live last night.
After three weeks we finished the rewrite.
""",
    ("en", "lesson"): """
The root cause was a stale lock file.
Root cause: the clock of the container ran ahead.
It turns out the cache ignores the header.
Lesson learned: check the disk before a migration.
I learned the hard way that cron has no PATH.
Fixed by pinning the compiler to 17.
The outage was caused by an expired certificate.
The problem was the missing index on bookings.
The trick is to start the proxy first.
Gotcha: the parser drops empty lines.
Note to self: the staging mailer really sends.
I found out that the driver retries twice.
""",
    ("en", "preference"): """
I prefer tabs over spaces.
I like short functions better.
I don't like semicolons in JavaScript.
I hate trailing commas in SQL.
I'd rather see the full diff.
Please use pnpm instead of npm.
Use httpx, not requests.
Don't use mocks, use the real database.
Stop adding emojis to commit messages.
My preferred editor is Helix.
I always write the test first.
""",
    ("zh", "explicit"): """
请记住周报改为周四发。
請記住週報改為週四發。
别忘了周五把发票交给财务。
不要忘记测试库每晚会清空。
记得提交前先跑一遍测试。
记住用 pnpm。
请注意：测试环境没有外网。
保存到记忆：默认端口是 8443。
把这条记下来：生产库在法兰克福。
""",
    ("zh", "rule"): """
以后都用 pnpm，不要用 npm。
請以後都用繁體中文回答。
从现在起所有时间都用 UTC。
今后提交信息用英文写。
往后每周一开晨会。
即日起代码评审需要两个人。
一律使用长选项名。
每次提交前都要跑 lint。
禁止在周五部署。
我们的规定是一次发布只做一次迁移。
""",
    ("zh", "milestone"): """
新版预订流程已经上线。
数据迁移完成了。
支付服务部署成功。
v2.0 发布，所有人都可以用。
""",
    ("zh", "lesson"): """
原因是缓存没有过期时间。
根因在于容器的时钟快了。
问题出在代理的超时设置上。
原来是磁盘写满了。
这次的教训：迁移前先检查磁盘。
在时区上踩了一个大坑。
故障是证书过期导致的。
折腾半天才发现端口写反了。
解决办法是先启动代理。
把连接池调大就用重试机制修好了。
""",
    ("zh", "preference"): """
我更喜欢用制表符缩进。
我喜歡簡短的函數。
我不喜欢在标题里用表情。
改用 httpx 发请求。
请用 pnpm 代替 npm。
不要用模拟对象，用真实的数据库。
我的首选是 Helix 编辑器。
""",
    ("ja", "explicit"): """
覚えておいて、本番のポートは8443です。
覚えといて、締め切りは金曜日です。
忘れないで、木曜日にリリースします。
メモしておいて：テストのアカウントはdemoです。
""",
    ("ja", "rule"): """
これからは日本語で答えてください。
コミットの前に必ずテストを実行してください。
""",
    ("ja", "milestone"): "バージョン2をリリースしました。\nデータの移行が完了しました。\n",
    ("ja", "lesson"): "原因は古いロックファイルでした。\n今回の教訓を残します。\n遅いのはキャッシュのせいだった。\n",
    ("ja", "preference"): "短い関数のほうが好きです。\n私はタブが好きです。\nnpmではなくpnpmを使ってほしい。\n",
    ("ru", "explicit"): """
Запомни: стенд слушает порт 5433.
Не забудь, что банк закрывается в 16:00.
Имей в виду, у бригады нет сети.
Обрати внимание на порядок шагов.
""",
    ("ru", "rule"): """
Отныне все даты пишем в UTC.
С этого момента отвечай по-русски.
Всегда запускай линтер перед коммитом.
Никогда не удаляй таблицы без вопроса.
""",
    ("ru", "milestone"): "Мы выпустили новую версию.\nРелиз вышел вчера вечером.\n",
    (
        "ru",
        "lesson",
    ): "Причина оказалась в часах сервера.\nОказалось, кэш не учитывает заголовок.\nУрок: проверяй диск.\n",
    ("ru", "preference"): """
Я предпочитаю табы.
Мне нравится короткий стиль больше.
Используй pnpm вместо npm.
""",
}

# What only looks like a signal.
NO = """
Do you remember which port staging uses?
do you remember what we said about lint
Can you remember what the port was?
Remember when we shipped this on a Friday?
Remember when the server had one disk.
I don't remember the port.
I can't remember why we always did that.
I remember that we released v1.2 in May.
Who remembers the root cause?
The "remember me" cookie expires after a week.
Fix the remember me checkbox on the login page.
It is hard to remember all these flags.
I'm trying to remember the command.
Don't remember this: the door code is 4711.
No need to remember that.
Please don't save this.
You don't need to remember the old hostname.
Forget what I said, we shipped v1.2.
never mind
Never mind, always nice to see green tests.
don't worry
no, use the other log
No, use the second file instead of this one.
Use the other branch instead of the new one.
Please always print the output this time.
for this PR skip tests
For this PR always use the slow path.
From now on, for today only, skip the hooks.
Always use the staging key for now.
The job always fails on Mondays.
It never worked on my machine.
We always get this error after a restart.
Always failing since the update.
Never seen that before.
This should never happen.
as a rule of thumb
From now on!
Always!
Remember!
Don't forget.
Note that
Keep it in mind.
I'll keep that in mind.
When v1.2 is released, bump the docs.
Once the PR is merged, delete the branch.
We will have shipped it by Friday.
The migration is not done.
Has the migration been merged?
Let me know when the release is out.
The dump from version 3 is out of date.
I released the lock before the loop.
The command finished with exit code 1.
Merged cells are not supported.
We merged two dicts there.
Always here when you need me.
We finished reviewing the plan.
I love the way the icing turned out!
They give to a good cause is all I know.
I like the idea of a hint that explains more about the error.
What was the root cause?
Find out what the cause was.
The cause is still unknown.
We have to know whether the cause was the cache.
I wonder if the cause was the cache.
It should be fixed by Friday.
The fix was deployed.
It turned out fine.
The lesson is on page four.
I like this.
I like it when the tests are green.
I don't like this.
I prefer not to say.
Do you prefer tabs?
I changed the script to use os.replace instead of os.rename.
The docs say "always use tabs".
`remember that x is 1`
He wrote: 'From now on use tabs'
别记这个。
不用记住这些。
别记录日志了，太慢。
你还记得吗？
还记得上次的端口吗
你还记得原因是什么吗？
我不记得端口了。
我记得我们上个月上线了。
登录页的记住密码功能坏了。
记不住这么多参数。
这次请一律打印输出。
这个 PR 以后都用旧接口，暂时的。
以后再说吧。
重启以后缓存就空了。
今后的计划还没定。
上线之前要检查清单。
等发布了再通知大家。
还没有完成了测试。
明天上线。
下周发布新版本。
任务完成了吗？
原因是什么？
是什么导致的？
不知道原因是不是缓存。
怎么避免踩坑
选型我还没底，怕踩坑。
我喜欢这个。
改用这个文件试试。
能不能改用另一个端口？
文档里说「以后都用制表符」。
記得那次事故嗎？
你還記得嗎
我不記得了
這次先跳過測試
覚えていますか？
覚えなくていいです。
覚えてないです。
今回は必ずログを出力してください。
原因は何ですか？
Помнишь, какой порт у стенда?
Я не помню порт.
Не запоминай это.
В этот раз всегда печатай вывод.
Когда выпустили версию?
"""

# Sixty sentences of ordinary work, thirty in each language: none has anything to keep.
PLAIN = """
Can you look at the failing test in the parser?
Run the tests again please.
That looks good, go ahead.
The build is red since this morning.
Please rename this function to something shorter.
Why does the second request take three seconds?
I think the cache is not the problem here.
Show me the diff before you commit.
Move the helper next to its caller.
The log says connection refused on port 5432.
Add a test for the empty list.
Let's split this into two commits.
There is a typo in the third paragraph.
I restarted the server and it still hangs.
What happens when the file is missing?
Try it with the larger data set.
Ok, thanks, that is all for now.
It compiles but the output is empty.
You forgot to update the changelog.
Revert the last change, it broke the layout.
I am not sure this is the right approach.
The customer wants a blue button on the invoice page.
Please explain what this regular expression does.
Check whether the port is open from inside the container.
The query returns twelve rows, I expected ten.
Open a pull request when you are done.
We have a meeting at ten about the budget.
Is there a way to make this faster?
Remove the debug output and format the file.
Sounds fine, but keep the old name as an alias.
帮我看一下解析器里失败的测试。
再跑一遍测试。
看起来不错，继续吧。
今天早上开始构建一直是红的。
把这个函数改个短一点的名字。
为什么第二个请求要三秒？
我觉得不是缓存的问题。
提交之前先给我看看差异。
把这个函数挪到调用它的地方旁边。
日志里说 5432 端口连接被拒绝。
给空列表加一个测试。
我们把这个拆成两个提交。
第三段有个错别字。
我重启了服务器，还是卡住。
文件不存在的时候会怎么样？
换大一点的数据集试试。
好的，谢谢，先到这里。
能编译，但是输出是空的。
你忘了更新变更日志。
把上一个改动撤掉，页面布局坏了。
我不确定这样做对不对。
客户想在发票页面放一个蓝色按钮。
解释一下这个正则表达式是干什么的。
看看容器里面能不能连上这个端口。
查询返回了十二行，我以为是十行。
改好之后开一个合并请求。
十点有个关于预算的会议。
有没有办法让它快一点？
删掉调试输出，再格式化一下文件。
可以，不过保留旧名字作为别名。
"""


def lines(block: str) -> list[str]:
    """The sentences of a block."""
    return [line for line in block.splitlines() if line]
